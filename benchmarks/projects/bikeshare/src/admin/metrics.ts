import { pool } from '../db';
import { gauge, render } from '../lib/prom';

const QUERIES: Record<string, string> = {
  bgwriter: `
    SELECT buffers_clean,
           maxwritten_clean
      FROM pg_stat_bgwriter`,
  backend_writes: `
    SELECT buffers_alloc,
           buffers_backend_fsync
      FROM pg_stat_bgwriter`,
  checkpoints_last_day: `
    SELECT max(checkpoints_timed) - min(checkpoints_timed) AS checkpoints
      FROM ops.bgwriter_history
     WHERE taken_at > now() - interval '1 day'`,
  commit_ts: `
    SELECT blks_hit, blks_read
      FROM pg_stat_slru
     WHERE name = 'CommitTs'`,
  slru_other: `
    SELECT blks_zeroed
      FROM pg_stat_slru
     WHERE name = 'other'`,
};

/** Prometheus text format; one gauge for each column. */
export async function metrics(): Promise<string> {
  for (const [name, sql] of Object.entries(QUERIES)) {
    const { rows } = await pool.query(sql);
    for (const [column, value] of Object.entries(rows[0] ?? {})) {
      gauge(`bikeshare_pg_${name}_${column}`, Number(value));
    }
  }
  return render();
}
