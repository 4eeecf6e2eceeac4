using System.Data;
using Dapper;

namespace Shapes.Repositories;

public class ShapeRepository
{
    private readonly IDbConnection _db;

    public ShapeRepository(IDbConnection db) => _db = db;

    // _db.Query("SELECT outline::point FROM shape")
    public IEnumerable<string> Centers() =>
        _db.Query<string>("SELECT outline::point FROM shape");

    public IEnumerable<string> Corners() =>
        _db.Query<string>("SELECT corner::point FROM shape");


    public IEnumerable<long> Typed() =>
        _db.Query<long>(@"
            SELECT id
              FROM shape
             WHERE jsonb_path_exists(facts, '1.type()')");

    public IEnumerable<long> TypedRoot() =>
        _db.Query<long>(@"
            SELECT id
              FROM shape
             WHERE jsonb_path_exists(facts, '$.type()')");

    public IEnumerable<string> Kinds() =>
        _db.Query<string>("SELECT CASE WHEN kind = 'r' THEN 'table' ELSE kind END FROM shape");

    public IEnumerable<string> RelationKinds() =>
        _db.Query<string>("SELECT coalesce(c.relkind, 'none') FROM pg_class c");

    public IEnumerable<long> After() =>
        _db.Query<long>("SELECT id FROM shape WHERE date_add(made, lasts) > now()");

    public IEnumerable<long> AfterOurs() =>
        _db.Query<long>("SELECT id FROM shape WHERE public.date_add(made, lasts) > now()");

    public int Version() =>
        _db.QuerySingle<int>("SELECT uuid_extract_version(gen_random_uuid())");

    public IEnumerable<long> Old() =>
        _db.Query<long>("""
            SELECT id
              FROM shape
             WHERE due < now() - interval '2.99 years'
            """);

    public IEnumerable<long> Older() =>
        _db.Query<long>("""
            SELECT id
              FROM shape
             WHERE noted = '2.99 years'
            """);

    public IEnumerable<long> First() =>
        _db.Query<long>("SELECT id FROM shape WHERE made = 'epoch 00:30'::timestamptz");

    public IEnumerable<long> Noted() =>
        _db.Query<long>("SELECT id FROM shape WHERE noted = 'epoch 00:30'");
}
