using Dapper;

namespace WagonYard.Data;

public sealed class WorkOrderRepository
{
    private readonly IDatabase _database;

    public WorkOrderRepository(IDatabase database) => _database = database;

    public async Task<int> Open(int wagonId, short priority, string notes)
    {
        const string sql = @"
            INSERT INTO work_orders (wagon_id, opened_at, priority, notes)
            VALUES (@wagonId, now(), @priority, @notes)
            RETURNING id";
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<int>(sql, new { wagonId, priority, notes });
    }

    public async Task<IEnumerable<int>> Mentioning(string words)
    {
        const string sql = @"
            SELECT id
              FROM work_orders
             WHERE to_tsvector('simple', notes) @@ plainto_tsquery('simple', @words)
             ORDER BY id";
        using var connection = _database.Open();
        return await connection.QueryAsync<int>(sql, new { words });
    }

    public async Task<IEnumerable<int>> WithPercentage()
    {
        const string sql = @"
            SELECT id
              FROM work_orders
             WHERE notes SIMILAR TO '%[0-9]+#%%' ESCAPE '#'
             ORDER BY id";
        using var connection = _database.Open();
        return await connection.QueryAsync<int>(sql);
    }

    public async Task<string?> FirstNumberIn(int id)
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<string?>(
            "SELECT substring(notes from '[0-9]+') FROM work_orders WHERE id = @id", new { id });
    }

    public async Task<IEnumerable<(int Id, string Parts)>> PickList()
    {
        const string sql = @"
            WITH wanted AS (
                SELECT work_order_id, part_id, quantity FROM work_order_parts
            )
            SELECT w.work_order_id, lines_agg(w.quantity || ' x ' || p.sku ORDER BY p.sku) AS parts
              FROM wanted w
              JOIN parts p ON p.id = w.part_id
             WHERE EXISTS (SELECT 1 FROM wanted o WHERE o.work_order_id = w.work_order_id AND o.quantity > 0)
             GROUP BY w.work_order_id
             ORDER BY w.work_order_id";
        using var connection = _database.Open();
        return await connection.QueryAsync<(int, string)>(sql);
    }

    public async Task Close(IEnumerable<int> ids)
    {
        using var connection = _database.Open();
        await connection.ExecuteAsync(
            "UPDATE work_orders SET state = 'closed' WHERE id = ANY (@ids) AND state != 'closed'",
            new { ids = ids.ToArray() });
    }
}
