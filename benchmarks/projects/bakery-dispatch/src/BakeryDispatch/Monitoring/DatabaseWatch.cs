using Dapper;
using Npgsql;

namespace BakeryDispatch.Monitoring;

/// <summary>Writes the figures of the database into the log, every five minutes.</summary>
public class DatabaseWatch(NpgsqlDataSource source, ILogger<DatabaseWatch> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stopping)
    {
        while (!stopping.IsCancellationRequested)
        {
            await using var connection = await source.OpenConnectionAsync(stopping);
            await Wal(connection);
            await Waiting(connection);
            await Statements(connection);
            await Task.Delay(TimeSpan.FromMinutes(5), stopping);
        }
    }

    private async Task Wal(NpgsqlConnection connection)
    {
        var wal = await connection.QuerySingleAsync(
            @"SELECT wal_records, wal_bytes,
                     wal_buffers_full,
                     wal_sync_time
                FROM pg_stat_wal");
        logger.LogInformation("WAL {Bytes} bytes, {Sync} ms", (object)wal.wal_bytes, (object)wal.wal_sync_time);
    }

    private async Task Waiting(NpgsqlConnection connection)
    {
        // sessions that wait for VACUUM's cleanup or for each other
        var pinned = await connection.ExecuteScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'BufferPin'");
        var locked = await connection.ExecuteScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND backend_type = 'client backend'");
        logger.LogInformation("{Pinned} wait for pins, {Locked} for locks", pinned, locked);
    }

    private async Task Statements(NpgsqlConnection connection)
    {
        var version = await connection.ExecuteScalarAsync<int>("SELECT current_setting('server_version_num')::int");
        IEnumerable<dynamic> slow;
        if (version >= 170000)
        {
            slow = await connection.QueryAsync(
                "SELECT queryid, calls, shared_blk_read_time AS reading FROM pg_stat_statements ORDER BY 3 DESC LIMIT 5");
        }
        else
        {
            slow = await connection.QueryAsync(
                "SELECT queryid, calls, blk_read_time AS reading FROM pg_stat_statements ORDER BY 3 DESC LIMIT 5");
        }
        foreach (var each in slow)
            logger.LogInformation("{Statement}: {Reading} ms", (object)each.queryid, (object)each.reading);
    }
}
