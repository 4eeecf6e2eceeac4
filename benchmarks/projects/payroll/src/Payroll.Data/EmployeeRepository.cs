using Dapper;
using Npgsql;

namespace Payroll.Data;

public sealed class EmployeeRepository
{
    private readonly NpgsqlDataSource _source;

    public EmployeeRepository(NpgsqlDataSource source) => _source = source;

    public async Task<IEnumerable<EmployeeRow>> InRegionAsync(int departmentId)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync<EmployeeRow>(@"
            SELECT e.id, e.full_name
              FROM employees e
              JOIN departments d ON d.id = e.department_id
             WHERE d.id = @departmentId
               AND e.home <@ d.region
             ORDER BY e.full_name", new { departmentId });
    }

    public async Task<int> OutsideRegionAsync()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<int>(@"
            SELECT count(*)
              FROM employees e
              JOIN departments d ON d.id = e.department_id
             WHERE NOT e.home @ d.region");
    }

    public async Task TagAsync(int id, string tag)
    {
        await using var connection = await _source.OpenConnectionAsync();
        await connection.ExecuteAsync(
            "UPDATE employees SET tags = array_append(tags, @tag) WHERE id = @id", new { id, tag });
    }
}

public sealed record EmployeeRow(int Id, string FullName);
