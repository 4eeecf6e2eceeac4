using Dapper;
using Npgsql;

namespace Harbour.Api.Queries;

public class PlanningBoard
{
    // Berths of the inner basin are too narrow for anything that needs tugs.
    private const int TugLength = 100;

    private const string InnerBasin = "b.code IN ('100A', '12E', '7B')";

    private const string SelectBerth = "SELECT b.id, b.code, b.name, b.length_m, b.max_draught FROM port.berths b ";

    private readonly NpgsqlDataSource _source;

    public PlanningBoard(NpgsqlDataSource source) => _source = source;

    public async Task<IEnumerable<dynamic>> FreeBerths(int length, decimal draught)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(
            SelectBerth
            + "WHERE NOT b.closed AND b.length_m >= @length AND b.max_draught >= @draught "
            + "ORDER BY b.length_m, b.code LIMIT 20",
            new { length, draught });
    }

    public async Task<IEnumerable<dynamic>> TugBerths()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(
            SelectBerth +
            "WHERE b.length_m >= 100" +
            "AND NOT b.closed ORDER BY b.code");
    }

    public async Task<IEnumerable<dynamic>> SmallCraft()
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(SelectBerth + "WHERE " + InnerBasin + " ORDER BY b.code");
    }

    /// <summary>Vessels whose last AIS position lies within the basin of a berth.</summary>
    public async Task<IEnumerable<dynamic>> VesselsInBasin(int berth)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(@"
            SELECT v.imo, v.name, v.fixed_at
              FROM port.vessels v
              JOIN port.berths b ON v.position @ b.basin
             WHERE b.id = @berth
               AND v.fixed_at > now() - interval '15 minutes'
             ORDER BY v.name", new { berth });
    }

    public async Task<IEnumerable<dynamic>> Anchored(int berth)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(@"
            SELECT v.imo, v.name
              FROM port.vessels v
              JOIN port.berths b ON b.basin @> v.position
             WHERE b.id <> @berth
             ORDER BY v.name", new { berth });
    }

    public async Task<IEnumerable<dynamic>> Options(int imo)
    {
        await using var connection = await _source.OpenConnectionAsync();
        return await connection.QueryAsync(@"
            SELECT v.imo, port.collect_distinct(b.code) AS berths
              FROM port.vessels v
              JOIN port.berths b ON b.length_m >= v.length_m AND b.max_draught >= v.draught
             WHERE v.imo = @imo
             GROUP BY v.imo", new { imo });
    }

    public bool NeedsTug(int length) => length >= TugLength;
}
