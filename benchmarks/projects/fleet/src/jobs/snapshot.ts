import { Pool } from 'pg';

async function serverVersionNum(pool: Pool): Promise<number> {
  const { rows } = await pool.query('SHOW server_version_num');
  return Number(rows[0].server_version_num);
}

/** Brackets a snapshot of the storage volume. */
export async function snapshot(pool: Pool, freeze: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const serverVersion = await serverVersionNum(pool);
    if (serverVersion >= 150000) {
      await client.query("SELECT pg_backup_start('volume', true)");
      await freeze();
      await client.query('SELECT lsn FROM pg_backup_stop(true)');
    } else {
      await client.query("SELECT pg_start_backup('volume', true, false)");
      await freeze();
      await client.query('SELECT lsn FROM pg_stop_backup(false, true)');
    }
  } finally {
    client.release();
  }
}
