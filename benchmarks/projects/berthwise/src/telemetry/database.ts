import { pool } from '../db/pool';

export interface Sample {
  name: string;
  value: number;
}

/** Samples that the agent pushed; the server itself is scraped by the agent. */
export async function checkpointSamples(host: string): Promise<Sample[]> {
  const { rows } = await pool.query(
    `SELECT max(s.checkpoints_timed)::int AS timed,
            max(s.buffers_backend)::int AS backend
       FROM bgwriter_samples s
      WHERE s.host = $1`,
    [host],
  );
  return [
    { name: 'checkpoints_timed', value: rows[0].timed },
    { name: 'buffers_backend', value: rows[0].backend },
  ];
}

export async function writerSamples(): Promise<Sample[]> {
  const { rows } = await pool.query('SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter');
  return Object.entries(rows[0]).map(([name, value]) => ({ name, value: Number(value) }));
}

export async function customTargets() {
  const { rows } = await pool.query(`
    SELECT a.attrelid::regclass::text AS relation, a.attname
      FROM pg_attribute a
     WHERE a.attnum > 0 AND a.attstattarget > 0
     ORDER BY 1, 2
  `);
  return rows;
}
