using Dapper;

namespace WagonYard.Data;

public sealed class InspectionRepository
{
    private readonly IDatabase _database;

    public InspectionRepository(IDatabase database) => _database = database;

    public async Task<IEnumerable<(int WagonId, double Seconds)>> Durations(DateTime since)
    {
        const string sql = @"
            SELECT i.wagon_id,
                   extract(epoch FROM i.finished_at - i.inspected_at) AS seconds
              FROM inspections i
             WHERE i.finished_at IS NOT NULL
               AND i.inspected_at >= @since
             ORDER BY i.id";
        using var connection = _database.Open();
        return await connection.QueryAsync<(int, double)>(sql, new { since });
    }

    public async Task<double?> LongestDelay()
    {
        const string sql = @"
            SELECT max(date_part('epoch', inspected_at - (booked_for AT TIME ZONE 'UTC')))
              FROM inspections";
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<double?>(sql);
    }

    public async Task<IEnumerable<(int Id, string[] Wear)>> AxleWear()
    {
        const string sql = @"
            SELECT id,
                   xpath('axle/@wear', sheet)::text[] AS wear
              FROM inspections
             WHERE sheet IS NOT NULL
             ORDER BY id";
        using var connection = _database.Open();
        return await connection.QueryAsync<(int, string[])>(sql);
    }

    public async Task<IEnumerable<(int Id, string[] Verdicts)>> Verdicts()
    {
        const string sql = @"
            SELECT id,
                   xpath('/inspection/axle/text()', sheet)::text[] AS verdicts
              FROM inspections
             WHERE sheet IS NOT NULL
             ORDER BY id";
        using var connection = _database.Open();
        return await connection.QueryAsync<(int, string[])>(sql);
    }

    public async Task<int> WithWornAxle()
    {
        using var connection = _database.Open();
        return await connection.ExecuteScalarAsync<int>(
            "SELECT count(*)::int FROM inspections WHERE xpath_exists('//axle[. = \"worn\"]', sheet)");
    }

    public async Task<IEnumerable<string>> DefectsOf(string part)
    {
        const string sql = @"
            SELECT code
              FROM defects
             WHERE details @> jsonb_build_object('part', @part::text)
             ORDER BY code";
        using var connection = _database.Open();
        return await connection.QueryAsync<string>(sql, new { part });
    }
}
