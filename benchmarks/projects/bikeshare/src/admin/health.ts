import { pool } from '../db';

export async function health() {
  const { rows } = await pool.query('SELECT current_setting($1)::int AS v', ['server_version_num']);
  const serverVersion: number = rows[0].v;
  let collation: string;
  if (serverVersion < 160000) {
    collation = (await pool.query('SHOW lc_collate')).rows[0].lc_collate;
  } else {
    collation = (await pool.query('SELECT datcollate FROM pg_database WHERE datname = current_database()')).rows[0]
      .datcollate;
  }
  const waiting = await pool.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
  );
  return { ok: true, serverVersion, collation, waiting: waiting.rows[0].n };
}
