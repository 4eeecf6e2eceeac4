using Dapper;
using Npgsql;

public class Invoices
{
    private const string Columns = "id, number, issued";
    private readonly NpgsqlDataSource _db;
    private readonly SqlConnection _legacy;

    public Task<IEnumerable<dynamic>> Months() =>
        _conn.QueryAsync($"SELECT {Columns}, extract(month FROM issued) AS month FROM invoice");

    public Task<int> Vacuum() => _conn.ExecuteAsync("VACUUM (ANALYZE) invoice");

    public Task<IEnumerable<dynamic>> Contexts() =>
        _conn.QueryAsync(@"SELECT name, parent, total_bytes FROM pg_backend_memory_contexts");

    public Task<IEnumerable<dynamic>> Contexts2() =>
        _conn.QueryAsync(@"SELECT name, ident AS parent, total_bytes FROM pg_backend_memory_contexts");

    public Task<IEnumerable<dynamic>> Wal() =>
        _conn.QueryAsync("""
            SELECT wal_records, wal_sync
              FROM pg_stat_wal
            """);

    public Task<IEnumerable<dynamic>> Wal2() =>
        _conn.QueryAsync("""
            SELECT wal_records, 'wal_sync' AS label
              FROM pg_stat_wal
            """);

    public Task Password(string hash) =>
        _conn.ExecuteAsync("ALTER ROLE clerk PASSWORD 'md5aaaabbbbccccddddeeeeffff00001111'");

    public Task Password2() =>
        _conn.ExecuteAsync("ALTER ROLE clerk VALID UNTIL 'infinity'");


    public Task Attributes() =>
        _conn.ExecuteAsync("SELECT attname, attcacheoff FROM pg_attribute");

    public Task Attributes2() =>
        _conn.ExecuteAsync("SELECT attname, attnum AS attcacheoff FROM pg_attribute");

    public Task Legacy() => _legacy.ExecuteAsync("SELECT attcacheoff FROM pg_attribute");

    public void Fail() => throw new InvalidOperationException("SELECT attcacheoff FROM pg_attribute");

    public Task Timezones() => _conn.QueryAsync("SELECT abbrev FROM pg_timezone_abbrevs() WHERE is_dst");
}
