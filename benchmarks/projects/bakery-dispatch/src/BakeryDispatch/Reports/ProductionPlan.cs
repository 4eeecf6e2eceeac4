using BakeryDispatch.Domain;
using Dapper;
using Npgsql;

namespace BakeryDispatch.Reports;

public class ProductionPlan(NpgsqlDataSource source)
{
    private const string PiecesOfDay = @"
        SELECT p.sku, p.name, sum(l.pieces) AS pieces, sum(l.pieces * p.weight_g) / 1000.0 AS doughkg
          FROM orders o
          JOIN order_lines l ON l.order_id = o.id
          JOIN products p ON p.id = l.product_id
         WHERE o.deliver_on = @day AND o.status <> 'cancelled'
         GROUP BY p.sku, p.name
         ORDER BY p.sku";

    public async Task<IEnumerable<PlannedProduct>> ForDay(DateOnly day)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync<PlannedProduct>(PiecesOfDay, new { day });
    }

    /// <summary>Baskets that nobody ordered from, for the sales team.</summary>
    public async Task<IEnumerable<dynamic>> Forgotten()
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync(
            @"SELECT c.kind, count(*) AS baskets, bool_and(b.touched_at < now() - interval '1 day') AS ignore
                FROM baskets b
                JOIN customers c ON c.id = b.customer_id
               GROUP BY c.kind
               ORDER BY c.kind");
    }

    /// <summary>The hottest minute of each oven, with the reading before it.</summary>
    public async Task<IEnumerable<dynamic>> Ovens(DateTime since)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync(
            @"SELECT DISTINCT ON (oven) oven, read_at, celsius,
                     lag(celsius) OVER (PARTITION BY oven ORDER BY read_at) AS before
                FROM oven_readings
               WHERE read_at >= @since
               ORDER BY oven, celsius DESC, read_at",
            new { since });
    }
}
