import { pool, serverVersionNum } from '../db/pool';

export interface ServerInfo {
  database: string;
  collate: string;
  messages: string;
}

export async function serverInfo(): Promise<ServerInfo> {
  const { rows } = await pool.query(`
    SELECT d.datname AS database, d.datcollate AS collate, current_setting('lc_messages') AS messages
      FROM pg_database d
     WHERE d.datname = current_database()
  `);
  return rows[0];
}

export async function startBackup(label: string): Promise<void> {
  const client = await pool.connect();
  try {
    const version = await serverVersionNum(client);
    if (version >= 150000) {
      await client.query('SELECT pg_backup_start($1, true)', [label]);
    } else {
      await client.query('SELECT pg_start_backup($1, true, false)', [label]);
    }
  } finally {
    client.release();
  }
}

/** Progress of running VACUUMs, for the admin page. */
export async function vacuumProgress() {
  const { rows } = await pool.query(`
    SELECT p.relid::regclass::text AS relation,
           p.phase,
           p.heap_blks_scanned,
           p.heap_blks_total
      FROM pg_stat_progress_vacuum p
     WHERE p.datname = current_database()
     ORDER BY 1
  `);
  return rows;
}

export async function deadRows() {
  const { rows } = await pool.query(`
    SELECT s.relname, s.n_dead_tup AS num_dead_tuples, s.n_live_tup
      FROM pg_stat_user_tables s
     WHERE s.n_dead_tup > 1000
     ORDER BY s.relname
  `);
  return rows;
}

export async function rawBookingsTable(): Promise<boolean> {
  const { rows } = await pool.query("SELECT to_regclass('public.bookings') IS NOT NULL AS present");
  return rows[0].present;
}
