using System;
using System.Collections.Generic;
using System.Data;
using System.Threading.Tasks;
using Dapper;
using Microsoft.Extensions.Logging;

namespace PayHub.Api.Data;

public record AuditEntry(long Id, string Action, string User, DateTime CreatedAt);

public class AuditStore
{
    private readonly IDbConnection _db;
    private readonly ILogger<AuditStore> _logger;

    public AuditStore(IDbConnection db, ILogger<AuditStore> logger)
    {
        _db = db;
        _logger = logger;
    }

    /// <summary>The triggers of the ledger read who is acting.</summary>
    public async Task ActAsAsync(string actor, string tenant)
    {
        await _db.ExecuteAsync("SELECT set_config('payhub-api.actor', @actor, false)", new { actor });
        await _db.ExecuteAsync("SELECT set_config('payhub_api.tenant', @tenant, false)", new { tenant });
    }

    public Task<IEnumerable<AuditEntry>> OfPaymentAsync(long paymentId)
    {
        const string sql = """
            SELECT id, action,
                   system_user AS "user",
                   created_at
              FROM audit_log
             WHERE payment_id = @paymentId
             ORDER BY id
            """;
        return _db.QueryAsync<AuditEntry>(sql, new { paymentId });
    }

    public Task<IEnumerable<AuditEntry>> SinceAsync(DateTime since)
    {
        const string sql = """
            SELECT a.id, a.action,
                   a.system_user AS "user",
                   a.created_at
              FROM audit_log a
             WHERE a.created_at >= @since
             ORDER BY a.id
            """;
        return _db.QueryAsync<AuditEntry>(sql, new { since });
    }

    public Task<int> RecordAsync(long paymentId, string action, string user) =>
        _db.ExecuteAsync(
            @"INSERT INTO audit_log (payment_id, action, ""system_user"") VALUES (@paymentId, @action, @user)",
            new { paymentId, action, user });

    public async Task BackupStartedAsync()
    {
        await _db.ExecuteAsync("INSERT INTO backup_runs DEFAULT VALUES");
        _logger.LogInformation("base backup is running; pg_start_backup('payhub') is done by the host");
    }
}
