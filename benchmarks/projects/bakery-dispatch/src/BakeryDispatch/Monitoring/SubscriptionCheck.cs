using Dapper;
using Npgsql;

namespace BakeryDispatch.Monitoring;

/// <summary>The price lists come from head office by logical replication.</summary>
public class SubscriptionCheck(NpgsqlDataSource source)
{
    public async Task<IEnumerable<dynamic>> Errors()
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync(
            @"SELECT subname,
                     apply_error_count,
                     sync_error_count
                FROM pg_stat_subscription_stats
               ORDER BY subname");
    }

    /// <summary>A price list must have its checks, or wrong prices get into the tills.</summary>
    public async Task<bool> ChecksExist()
    {
        await using var connection = await source.OpenConnectionAsync();
        var checks = await connection.ExecuteScalarAsync<long>(
            "SELECT count(*) FROM pg_constraint WHERE conrelid = 'order_lines'::regclass AND contype = 'c'");
        return checks >= 1;
    }

    public async Task<bool> KnowsZone(string name)
    {
        await using var connection = await source.OpenConnectionAsync();
        // pg_timezone_abbrevs() would be the short names, we need the long ones
        return await connection.ExecuteScalarAsync<bool>(
            "SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = @name)", new { name });
    }
}
