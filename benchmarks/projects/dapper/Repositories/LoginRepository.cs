using System.Data;
using Dapper;

namespace Shapes.Repositories;

public class LoginRepository
{
    private const string Help = "SHOW lc_collate tells the locale of the database";
    private readonly IDbConnection _db;

    public LoginRepository(IDbConnection db) => _db = db;

    public IEnumerable<string> Users() => _db.Query<string>("SELECT system_user FROM login WHERE id = @id", new { id = 1 });

    public IEnumerable<string> Sessions() => _db.Query<string>("SELECT session_user FROM login");

    public IEnumerable<string> Objects() => _db.Query<string>("SELECT l.json_object FROM login l");

    public string Collation() => _db.QuerySingle<string>("SHOW lc_collate");

    public string Numeric() => _db.QuerySingle<string>("SHOW lc_numeric");

    public long Checkpoints() => _db.QuerySingle<long>(
        "SELECT checkpoints_timed + " +
        "       checkpoints_req " +
        "  FROM pg_stat_bgwriter");

    public long Written() => _db.QuerySingle<long>("SELECT buffers_checkpoint FROM pg_stat_bgwriter");

    public long Allocated() => _db.QuerySingle<long>("SELECT buffers_alloc FROM pg_stat_bgwriter");

    public long Fsyncs() => _db.QuerySingle<long>("SELECT buffers_backend_fsync FROM pg_stat_bgwriter");

    public void Threshold() => _db.Execute("ALTER SYSTEM SET old_snapshot_threshold = '1h'");

    public void Timeout() => _db.Execute("ALTER SYSTEM SET idle_session_timeout = '1h'");

    public void Trace() => _db.Execute("SET trace_sort = on");

    public void Top() => _db.Execute("SELECT id FROM login WHERE id = 1LIMIT 5");

    public void Delayed() => _db.Execute("SELECT * FROM pg_stat_progress_vacuum WHERE max_dead_tuples > 0");
}
