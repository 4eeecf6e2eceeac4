using System.Data.Common;
using Microsoft.EntityFrameworkCore.Diagnostics;

namespace Harbour.Api.Data;

/// <summary>Tells the triggers of the audit who works at the planning board.</summary>
public class OperatorInterceptor : DbConnectionInterceptor
{
    private const string SetOperator =
        "SELECT set_config('harbour.operator', @operator, false), "
        + "set_config('harbour-board.version', '7', false)";

    private readonly IHttpContextAccessor _http;

    public OperatorInterceptor(IHttpContextAccessor http) => _http = http;

    public override async Task ConnectionOpenedAsync(
        DbConnection connection, ConnectionEndEventData data, CancellationToken token = default)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = SetOperator;
        var parameter = command.CreateParameter();
        parameter.ParameterName = "operator";
        parameter.Value = _http.HttpContext?.User.Identity?.Name ?? "batch";
        command.Parameters.Add(parameter);
        await command.ExecuteNonQueryAsync(token);
    }
}
