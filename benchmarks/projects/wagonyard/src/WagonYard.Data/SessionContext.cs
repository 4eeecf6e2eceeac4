using System.Data;
using Dapper;

namespace WagonYard.Data;

/// <summary>What triggers and the log line prefix know about the caller.</summary>
public static class SessionContext
{
    public static void SetOperator(this IDbConnection connection, string @operator) =>
        connection.Execute("SELECT set_config('wagonyard.operator', @operator, false)", new { @operator });

    public static void SetRequest(this IDbConnection connection, string requestId, string terminal)
    {
        connection.Execute(@"
            SELECT set_config('wagonyard-api.request_id', @requestId, false)",
            new { requestId });
        connection.Execute(
            "SELECT set_config('application_name', 'wagonyard-api ' || @terminal, false)",
            new { terminal });
    }

    public static string? CurrentOperator(this IDbConnection connection) =>
        connection.ExecuteScalar<string?>("SELECT current_setting('wagonyard.operator', true)");
}
