using Dapper;

namespace WagonYard.Data;

public sealed record Wagon(int Id, string UicNumber, string Kind, int TareKg, decimal? LoadLimit);

public sealed class WagonRepository
{
    private readonly IDatabase _database;

    public WagonRepository(IDatabase database) => _database = database;

    public async Task<Wagon?> Find(int id)
    {
        using var connection = _database.Open();
        return await connection.QuerySingleOrDefaultAsync<Wagon>(
            "SELECT id, uic_number, kind, tare_kg, load_limit FROM wagons WHERE id = @id", new { id });
    }

    /// <summary>Wagons that have at least the given attributes.</summary>
    public async Task<IEnumerable<Wagon>> WithAttributes(IDictionary<string, string> wanted)
    {
        const string sql = @"
            SELECT id, uic_number, kind, tare_kg, load_limit
              FROM wagons
             WHERE attributes @> @wanted::hstore
             ORDER BY uic_number";
        using var connection = _database.Open();
        return await connection.QueryAsync<Wagon>(sql, new { wanted = Hstore.Format(wanted) });
    }

    public async Task<IEnumerable<Wagon>> WithDiscBrakes(int depotId)
    {
        const string sql = @"
            SELECT w.id, w.uic_number, w.kind, w.tare_kg, w.load_limit
              FROM wagons w
             WHERE w.depot_id = @depotId
               AND w.attributes @ 'brake=>disc'::hstore
             ORDER BY w.uic_number";
        using var connection = _database.Open();
        return await connection.QueryAsync<Wagon>(sql, new { depotId });
    }

    public async Task<IEnumerable<Wagon>> Search(string pattern)
    {
        const string sql = @"
            SELECT id, uic_number, kind, tare_kg, load_limit
              FROM wagons
             WHERE uic_number ~ @pattern
                OR remarks LIKE '% @ %'
             ORDER BY uic_number";
        using var connection = _database.Open();
        return await connection.QueryAsync<Wagon>(sql, new { pattern });
    }

    public async Task<int?> OldestYear(int depotId)
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<int?>(
            "SELECT min(extract(year FROM built_on)::int) FROM wagons WHERE depot_id = @depotId", new { depotId });
    }

    public async Task<IEnumerable<string>> DepotsWithin(double west, double south, double east, double north)
    {
        const string sql = @"
            SELECT code
              FROM depots
             WHERE location <@ box(point(@west, @south), point(@east, @north))
             ORDER BY code";
        using var connection = _database.Open();
        return await connection.QueryAsync<string>(sql, new { west, south, east, north });
    }

    public async Task<string> CommonPitch(int first, int second)
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<string>(
            "SELECT yard.gcd(@first, @second)::text", new { first, second });
    }

    public async Task<int?> IdOf(string typed)
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<int?>(
            "SELECT id FROM wagons WHERE yard.normalize(uic_number) = yard.normalize(@typed)", new { typed });
    }
}
