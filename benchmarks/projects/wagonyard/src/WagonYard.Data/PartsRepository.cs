using Dapper;

namespace WagonYard.Data;

public sealed record Part(int Id, string Sku, string Description, decimal Price);

public sealed class PartsRepository
{
    private readonly IDatabase _database;

    public PartsRepository(IDatabase database) => _database = database;

    // the supplier's price list is imported as it is, as text
    public async Task<IEnumerable<Part>> All()
    {
        const string sql = @"
            SELECT id, sku, description,
                   to_number(list_price, '99,999') AS price
              FROM parts
             ORDER BY sku";
        using var connection = _database.Open();
        return await connection.QueryAsync<Part>(sql);
    }

    public async Task<decimal> StockWeight()
    {
        const string sql = @"
            SELECT coalesce(sum(to_number(weight_g, '99,999') * on_hand), 0)
              FROM parts";
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<decimal>(sql);
    }

    public async Task<IEnumerable<string>> BearingsBySize(decimal minimum)
    {
        const string sql = @"
            SELECT sku
              FROM parts
             WHERE sku LIKE 'BRG-%'
               AND to_number(substr(sku, 5), '999') >= @minimum
             ORDER BY sku";
        using var connection = _database.Open();
        return await connection.QueryAsync<string>(sql, new { minimum });
    }

    public async Task<string> PriceListFingerprint()
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<string>(
            "SELECT md5(string_agg(sku || ':' || (on_hand * 1.25)::text, ',' ORDER BY sku)) FROM parts");
    }
}
