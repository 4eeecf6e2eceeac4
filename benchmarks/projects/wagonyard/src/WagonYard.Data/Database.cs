using System.Data;
using Npgsql;

namespace WagonYard.Data;

public interface IDatabase
{
    IDbConnection Open();
}

public sealed class Database : IDatabase
{
    private readonly string _connectionString;

    public Database(string connectionString) => _connectionString = connectionString;

    public IDbConnection Open()
    {
        var connection = new NpgsqlConnection(_connectionString);
        connection.Open();
        return connection;
    }
}
