using Dapper;
using Microsoft.Extensions.Logging;
using Npgsql;

namespace Payroll.Data.Monitoring;

public sealed class ServerProbe
{
    private readonly NpgsqlDataSource _source;
    private readonly ILogger<ServerProbe> _logger;

    public ServerProbe(NpgsqlDataSource source, ILogger<ServerProbe> logger)
    {
        _source = source;
        _logger = logger;
    }

    public async Task<long> WalWaitersAsync()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<long>(@"
            SELECT count(*) FROM pg_stat_activity
             WHERE wait_event_type = 'LWLock' AND wait_event = 'WALWriteLock'");
    }

    public async Task<bool> IsEncryptedAsync()
    {
        await using var connection = await _source.OpenConnectionAsync();
        var row = await connection.QuerySingleAsync(
            "SELECT ssl, version, cipher, compression FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
        return row.ssl;
    }

    public async Task<long> CheckpointsAsync()
    {
        await using var connection = await _source.OpenConnectionAsync();
        var collation = await connection.ExecuteScalarAsync<string>("SHOW lc_collate");
        _logger.LogInformation("probing a server with collation {Collation}", collation);
        return await connection.ExecuteScalarAsync<long>(
            "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter");
    }
}
