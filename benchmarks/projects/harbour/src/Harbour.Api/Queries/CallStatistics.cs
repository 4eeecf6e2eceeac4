using System.Text;
using Dapper;
using Harbour.Api.Models;
using Npgsql;

namespace Harbour.Api.Queries;

public class CallStatistics
{
    private readonly NpgsqlDataSource _source;

    public CallStatistics(NpgsqlDataSource source) => _source = source;

    public async Task<IEnumerable<ArrivalCount>> ArrivalsByHour()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync<ArrivalCount>("""
            SELECT date_part('hour', c.eta)::int AS hour, count(*) AS calls
              FROM port.calls c
             WHERE NOT c.cancelled
             GROUP BY 1
             ORDER BY 1
            """);
    }

    /// <summary>The first slot of each day, for the pilots' roster.</summary>
    public async Task<IEnumerable<dynamic>> Roster(string agent, bool withHour)
    {
        var sql = new StringBuilder();
        sql.Append("SELECT c.eta_date, count(*) AS calls");
        if (withHour)
        {
            sql.Append(", min(extract(hour FROM c.eta_date)) AS first_hour");
        }
        sql.Append(" FROM port.calls c WHERE c.agent = @agent GROUP BY c.eta_date ORDER BY c.eta_date");

        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(sql.ToString(), new { agent });
    }

    public async Task<int> LongestStayDays(int berth)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<int>(
            "SELECT date_part('day', max(turnaround))::int FROM port.calls WHERE berth_id = @berth", new { berth });
    }
}
