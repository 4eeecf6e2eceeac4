using Dapper;
using Harbour.Api.Models;
using Npgsql;

namespace Harbour.Api.Queries;

public class AuditTrail
{
    private readonly NpgsqlDataSource _source;

    public AuditTrail(NpgsqlDataSource source) => _source = source;

    public async Task<IEnumerable<AuditEntry>> History(long call)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync<AuditEntry>("""
            SELECT a.id, a.system_user AS who, a.changed_at, a.change::text AS change
              FROM port.audit a
             WHERE a.call_id = @call
             ORDER BY a.id
            """, new { call });
    }

    public async Task<IEnumerable<dynamic>> Busiest(DateTime since)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync("""
            SELECT system_user, count(*) AS changes
              FROM port.audit
             WHERE changed_at >= @since
             GROUP BY 1
             ORDER BY 2 DESC
            """, new { since });
    }
}
