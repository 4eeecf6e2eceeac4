import { Pool, types } from 'pg';

// numeric as number: amounts have two digits only
types.setTypeParser(1700, (value) => Number(value));

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  application_name: 'parcelhub-jobs',
  max: 4,
});

export async function serverVersion(): Promise<number> {
  const { rows } = await pool.query("SELECT current_setting('server_version_num')::int AS version");
  return rows[0].version;
}
