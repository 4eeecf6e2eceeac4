using System.Data;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace PayHub.Api;

[ApiController]
[Route("internal/diagnostics")]
public class DiagnosticsController : ControllerBase
{
    private readonly IDbConnection _db;

    public DiagnosticsController(IDbConnection db) => _db = db;

    [HttpGet("statements")]
    public async Task<IActionResult> Statements(int top = 20)
    {
        const string sql = @"
            SELECT queryid, calls,
                   total_exec_time,
                   blk_read_time,
                   rows
              FROM pg_stat_statements
             ORDER BY total_exec_time DESC
             LIMIT @top";
        return Ok(await _db.QueryAsync(sql, new { top }));
    }

    [HttpGet("nodes")]
    public async Task<IActionResult> Nodes() =>
        Ok(await _db.QueryAsync(@"
            SELECT node,
                   sum(checkpoints_timed) AS checkpoints,
                   max(buffers_backend) AS buffers
              FROM processor_nodes
             WHERE reported_at > now() - interval '1 hour'
             GROUP BY node"));

    [HttpGet("targets")]
    public async Task<IActionResult> Targets() =>
        Ok(await _db.QueryAsync(@"
            SELECT c.relname::text, a.attname::text
              FROM pg_attribute a
              JOIN pg_class c ON c.oid = a.attrelid
             WHERE a.attstattarget > 100"));
}
