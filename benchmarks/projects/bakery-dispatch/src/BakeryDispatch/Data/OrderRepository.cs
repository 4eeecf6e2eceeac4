using BakeryDispatch.Domain;
using Dapper;
using Npgsql;
using NpgsqlTypes;

namespace BakeryDispatch.Data;

public class OrderRepository(NpgsqlDataSource source)
{
    public async Task<IEnumerable<dynamic>> ForDay(DateOnly day)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync(
            @"SELECT o.id, c.number, c.name, o.status, order_total(o.id) AS cents,
                     now() - o.placed_at AS ago
                FROM orders o
                JOIN customers c ON c.id = o.customer_id
               WHERE o.deliver_on = @day
               ORDER BY c.number",
            new { day });
    }

    /// <summary>Orders that came in too late for the ovens.</summary>
    public async Task<IEnumerable<long>> Late(DateOnly day)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync<long>(
            @"SELECT id
                FROM orders
               WHERE deliver_on = @day
                 AND placed_at > @day::date + interval '2 hours 30 minutes ago'
               ORDER BY placed_at",
            new { day });
    }

    public async Task<DateOnly> NextBakingDay(DateOnly day)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<DateOnly>("SELECT date_add(@day::date, 1)", new { day });
    }

    public async Task AddLines(long order, IEnumerable<OrderLine> lines)
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var writer = await connection.BeginBinaryImportAsync(
            "COPY order_lines (order_id, line, product_id, pieces, price_cents) FROM STDIN (FORMAT BINARY)");
        foreach (var line in lines)
        {
            await writer.StartRowAsync();
            await writer.WriteAsync(order, NpgsqlDbType.Bigint);
            await writer.WriteAsync(line.Line, NpgsqlDbType.Integer);
            await writer.WriteAsync(line.ProductId, NpgsqlDbType.Bigint);
            await writer.WriteAsync(line.Pieces, NpgsqlDbType.Integer);
            await writer.WriteAsync(line.PriceCents, NpgsqlDbType.Integer);
        }
        await writer.CompleteAsync();
    }

    public async Task<int> DropBaskets()
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteAsync(
            "DELETE FROM baskets WHERE ignore OR touched_at < now() - interval '36 hours'");
    }
}
