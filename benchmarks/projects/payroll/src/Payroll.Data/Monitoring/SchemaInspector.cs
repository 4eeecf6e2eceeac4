using Dapper;
using Npgsql;

namespace Payroll.Data.Monitoring;

public static class SchemaInspector
{
    public static Task<IEnumerable<(string Name, string Source)>> ChecksAsync(NpgsqlConnection connection) =>
        connection.QueryAsync<(string, string)>(
            "SELECT conname, consrc " +
            "FROM pg_constraint " +
            "WHERE contype = 'c' AND conrelid = 'employees'::regclass");

    public static Task<IEnumerable<(string Column, string Source)>> DefaultsAsync(NpgsqlConnection connection)
    {
        if (connection.PostgreSqlVersion.Major < 12)
        {
            return connection.QueryAsync<(string, string)>(
                "SELECT adrelid::regclass::text, adsrc FROM pg_attrdef");
        }

        return connection.QueryAsync<(string, string)>(
            "SELECT d.adrelid::regclass::text, pg_get_expr(d.adbin, d.adrelid) AS adsrc FROM pg_attrdef d");
    }
}
