using System.Data.Common;
using Microsoft.EntityFrameworkCore.Diagnostics;

namespace Payroll.Data;

public sealed class AuditInterceptor : DbConnectionInterceptor
{
    private readonly ICurrentUser _user;

    public AuditInterceptor(ICurrentUser user) => _user = user;

    public override void ConnectionOpened(DbConnection connection, ConnectionEndEventData eventData)
    {
        using var command = connection.CreateCommand();
        command.CommandText = "SET payroll.tenant = 'main'";
        command.ExecuteNonQuery();

        command.CommandText = "SELECT set_config('payroll-audit.user_id', @user, false)";
        var parameter = command.CreateParameter();
        parameter.ParameterName = "user";
        parameter.Value = _user.Id;
        command.Parameters.Add(parameter);
        command.ExecuteNonQuery();
    }
}

public interface ICurrentUser
{
    string Id { get; }
}
