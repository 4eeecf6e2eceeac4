using System;
using System.Collections.Generic;
using System.Data;
using System.Threading.Tasks;
using Dapper;

namespace PayHub.Api.Data;

public record Payment(long Id, long MerchantId, string Reference, decimal Amount, string Currency, string Status);

public class PaymentRepository
{
    private const string Columns = "id, merchant_id, reference, amount, currency, status";

    private readonly IDbConnection _db;

    public PaymentRepository(IDbConnection db) => _db = db;

    public Task<Payment?> FindAsync(long merchantId, string reference) =>
        _db.QuerySingleOrDefaultAsync<Payment?>(
            "SELECT " + Columns + " FROM payments WHERE merchant_id = @merchantId AND reference = @reference",
            new { merchantId, reference });

    public Task<IEnumerable<Payment>> RecentAsync(long merchantId, int page) =>
        _db.QueryAsync<Payment>(
            "SELECT " + Columns + " FROM payments WHERE merchant_id = @merchantId ORDER BY id DESC LIMIT 20" +
            " OFFSET @offset",
            new { merchantId, offset = page * 20 });

    /// <summary>Payments which the acquirer confirmed, locked for the capture run.</summary>
    public Task<IEnumerable<Payment>> LockAuthorizedAsync() =>
        _db.QueryAsync<Payment>(
            "SELECT " + Columns +
            " FROM payments" +
            " WHERE status = 'authorized'" +
            " ORDER BY created_at" +
            " LIMIT 50" +
            "FOR UPDATE SKIP LOCKED");

    public Task<long> InsertAsync(long merchantId, string reference, decimal amount, string currency, string payload) =>
        _db.ExecuteScalarAsync<long>(@"
            INSERT INTO payments (merchant_id, reference, amount, currency, payload)
            VALUES (@merchantId, @reference, @amount, @currency, @payload::jsonb)
            RETURNING id",
            new { merchantId, reference, amount, currency, payload });

    public Task<IEnumerable<string>> OrderNumbersAsync(long merchantId, DateTime day) =>
        _db.QueryAsync<string>(@"
            SELECT json_value(payload, 'order_no')
              FROM payments
             WHERE merchant_id = @merchantId
               AND created_at >= @day
               AND created_at < @day + interval '1 day'",
            new { merchantId, day });

    public Task<IEnumerable<string>> CustomersAsync(long merchantId) =>
        _db.QueryAsync<string>(@"
            SELECT DISTINCT public.json_value(payload, 'customer')
              FROM payments
             WHERE merchant_id = @merchantId",
            new { merchantId });

    public Task<int> SetRuleAsync(long id, string rule) =>
        _db.ExecuteAsync("UPDATE payments SET rule = @rule WHERE id = @id", new { id, rule });
}
