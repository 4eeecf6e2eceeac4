using System.Data;
using Dapper;

namespace WagonYard.Data;

/// <summary>Numbers of the status page that the operations team watches.</summary>
public sealed class StatusQueries
{
    private readonly IDatabase _database;

    public StatusQueries(IDatabase database) => _database = database;

    public IEnumerable<string> Aggregates()
    {
        using var connection = _database.Open();
        var serverVersion = connection.ExecuteScalar<int>("SELECT current_setting('server_version_num')::int");
        if (serverVersion >= 110000)
        {
            return connection.Query<string>(@"
                SELECT proname::text FROM pg_proc
                 WHERE prokind = 'a' AND pronamespace = 'public'::regnamespace ORDER BY 1");
        }
        else
        {
            return connection.Query<string>(@"
                SELECT proname::text FROM pg_proc
                 WHERE proisagg AND pronamespace = 'public'::regnamespace ORDER BY 1");
        }
    }

    public IEnumerable<(string Job, int TotalTime)> SlowestJobs()
    {
        using var connection = _database.Open();
        return connection.Query<(string, int)>(@"
            SELECT job, total_time
              FROM maintenance_runs
             ORDER BY total_time DESC
             LIMIT 10");
    }

    public int WaitingForLocks()
    {
        using var connection = _database.Open();
        return connection.ExecuteScalar<int>(
            "SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'transactionid'");
    }

    public bool HasTable(string name)
    {
        using var connection = _database.Open();
        return connection.ExecuteScalar<bool>(@"
            SELECT EXISTS (SELECT 1
              FROM information_schema.tables
             WHERE table_type = 'BASE TABLE'
               AND table_schema = 'public'
               AND table_name = @name)", new { name });
    }

    public IEnumerable<(string Host, int? Segments)> Inventory()
    {
        using var connection = _database.Open();
        return connection.Query<(string, int?)>(
            "SELECT host, wal_keep_segments FROM server_inventory ORDER BY host");
    }

    public IEnumerable<long> UnmatchedIds()
    {
        using var connection = _database.Open();
        return connection.Query<long>("SELECT row_oid FROM unmatched_feed WHERE reason IS NULL ORDER BY row_oid");
    }

    public decimal Arrangements(int wagons)
    {
        using var connection = _database.Open();
        return connection.ExecuteScalar<decimal>("SELECT factorial_of(@wagons)", new { wagons });
    }
}
