import { pool } from '../lib/db';

/** Samples of the last hour for the ops page. */
export async function samples() {
  const { rows } = await pool.query(
    `SELECT s.taken_at,
            s.checkpoints_timed - lag(s.checkpoints_timed) OVER w AS checkpoints,
            s.wal_write - lag(s.wal_write) OVER w AS wal_write,
            s.blk_read_time
       FROM db_samples s
     WINDOW w AS (ORDER BY s.taken_at)
      ORDER BY s.taken_at`,
  );
  return rows;
}

export async function walVolume() {
  const { rows } = await pool.query('SELECT wal_records, wal_fpi, wal_bytes, wal_buffers_full FROM pg_stat_wal');
  return rows[0];
}

export async function buffersWritten() {
  const { rows } = await pool.query('SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter');
  return rows[0];
}

export async function lockWaits() {
  const { rows } = await pool.query(
    `SELECT pid, wait_event, left(query, 200) AS query
       FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return rows;
}

export async function vacuumProgress() {
  const { rows } = await pool.query(
    `SELECT relid::regclass::text AS relation, phase, heap_blks_scanned, heap_blks_total
       FROM pg_stat_progress_vacuum`,
  );
  return rows;
}

export async function columnsOf(table: string) {
  const { rows } = await pool.query(
    `SELECT a.attname, a.attnotnull, a.attnum
       FROM pg_attribute a
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum`,
    [table],
  );
  return rows;
}

export async function zoneAbbreviations() {
  const { rows } = await pool.query(`SELECT abbrev FROM pg_timezone_abbrevs WHERE abbrev IN ('UTC', 'Z') ORDER BY abbrev`);
  return rows.map((row) => row.abbrev as string);
}
