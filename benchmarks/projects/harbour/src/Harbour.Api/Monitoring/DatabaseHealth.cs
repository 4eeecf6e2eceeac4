using Dapper;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace Harbour.Api.Monitoring;

public class DatabaseHealth : IHealthCheck
{
    private const string Pressure = """
        SELECT maxwritten_clean,
               buffers_backend_fsync
          FROM pg_stat_bgwriter
        """;

    private const string Trend = """
        SELECT taken_at,
               buffers_backend - lag(buffers_backend) OVER (ORDER BY taken_at) AS written
          FROM ops.samples
         ORDER BY taken_at DESC
         LIMIT 60
        """;

    private const string InBackup = "SELECT ops.pg_is_in_backup()";

    private readonly NpgsqlDataSource _source;
    private readonly ILogger<DatabaseHealth> _logger;

    public DatabaseHealth(NpgsqlDataSource source, ILogger<DatabaseHealth> logger)
    {
        _source = source;
        _logger = logger;
    }

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken token = default)
    {
        await using var connection = await _source.OpenConnectionAsync(token);
        var (cleaned, fsyncs) = await connection.QuerySingleAsync<(long, long)>(Pressure);
        if (fsyncs > 0)
        {
            _logger.LogWarning("backends did {Count} fsyncs of their own, {Cleaned} rounds cut", fsyncs, cleaned);
        }
        if (await connection.ExecuteScalarAsync<bool>(InBackup))
        {
            _logger.LogInformation("SELECT pg_stop_backup() has not been called yet, the board may be slow");
        }
        var trend = await connection.QueryAsync(Trend);
        return trend.Any() ? HealthCheckResult.Healthy() : HealthCheckResult.Degraded("no samples");
    }
}
