using Dapper;
using Npgsql;

namespace Payroll.Data;

public sealed class TimesheetRepository
{
    private const string WorkedHours = @"
        SELECT c.employee_id AS EmployeeId,
               sum(EXTRACT(EPOCH FROM c.clocked_out - c.clocked_in) / 3600) AS Hours
          FROM clockings c
         WHERE c.clocked_in >= @from AND c.clocked_in < @to
         GROUP BY c.employee_id";

    private readonly NpgsqlDataSource _source;

    public TimesheetRepository(NpgsqlDataSource source) => _source = source;

    public async Task<Dictionary<int, double>> HoursAsync(DateTime from, DateTime to)
    {
        await using var connection = await _source.OpenConnectionAsync();
        await using var reader = await connection.ExecuteReaderAsync(WorkedHours, new { from, to });
        var hours = new Dictionary<int, double>();
        while (reader.Read())
        {
            hours[reader.GetInt32(0)] = reader.GetDouble(1);
        }
        return hours;
    }

    public async Task<int> ServerUnixTimeAsync()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<int>("SELECT now()::abstime::int");
    }
}
