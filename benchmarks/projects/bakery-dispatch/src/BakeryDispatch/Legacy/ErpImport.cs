using Dapper;
using Microsoft.Data.SqlClient;
using Npgsql;

namespace BakeryDispatch.Legacy;

/// <summary>Takes customers from the old ERP (SQL Server), until it is switched off.</summary>
public class ErpImport(IConfiguration configuration, NpgsqlDataSource source)
{
    public async Task<int> Customers()
    {
        using var erp = new SqlConnection(configuration.GetConnectionString("OldErp"));
        var rows = await erp.QueryAsync(
            "SELECT Nr, Name, JSON_VALUE(Extra, '$.kind') AS Kind, SYSTEM_USER AS ReadBy FROM dbo.Kunden WITH (NOLOCK)");

        await using var connection = await source.OpenConnectionAsync();
        var count = 0;
        foreach (var row in rows)
        {
            count += await connection.ExecuteAsync(
                @"INSERT INTO customers (number, name, kind) VALUES (@number, @name, @kind)
                  ON CONFLICT (number) DO UPDATE SET name = excluded.name",
                new { number = (string)row.Nr, name = (string)row.Name, kind = (string)row.Kind });
        }
        return count;
    }
}
