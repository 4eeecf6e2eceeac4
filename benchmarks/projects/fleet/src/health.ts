import { pool } from './db/pool';
import { logger } from './lib/logger';

export interface Health {
  standby: boolean;
  backup: boolean;
  sizeBytes: number;
}

const HEALTH_SQL = [
  'SELECT pg_is_in_recovery() AS standby,',
  '       pg_is_in_backup() AS backup,',
  '       pg_database_size(current_database()) AS size_bytes',
].join('\n');

export async function health(): Promise<Health> {
  const { rows } = await pool.query(HEALTH_SQL);
  const [row] = rows;
  if (row.backup) {
    logger.warn('a session that called pg_start_backup() has not called pg_stop_backup() yet');
  }
  return { standby: row.standby, backup: row.backup, sizeBytes: Number(row.size_bytes) };
}
