using System.Collections.Generic;
using System.Data;
using System.Threading.Tasks;
using Dapper;

namespace PayHub.Api.Data;

public class DisputeRepository
{
    /// <summary>How long the card schemes let a cardholder dispute a payment.</summary>
    private const string DisputeWindow = "interval '1.3 years'";

    /// <summary>How long the books need a payment which can no longer be disputed.</summary>
    private const string BookkeepingWindow = "interval '7.5 years'";

    private readonly IDbConnection _db;

    public DisputeRepository(IDbConnection db) => _db = db;

    public Task<bool> CanBeDisputedAsync(long paymentId) =>
        _db.ExecuteScalarAsync<bool>(
            $"SELECT captured_at > now() - {DisputeWindow} FROM payments WHERE id = @paymentId",
            new { paymentId });

    public Task<IEnumerable<long>> ExpiredAsync(int limit) =>
        _db.QueryAsync<long>(
            $"SELECT id FROM payments WHERE captured_at < now() - {BookkeepingWindow} ORDER BY id LIMIT @limit",
            new { limit });
}
