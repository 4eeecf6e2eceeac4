import { pool, serverVersion } from '../db/pool';

export interface Metric {
  name: string;
  value: number;
}

/** Counters of the server for the dashboard; 17 has those of the checkpointer in a view of their own. */
export async function checkpointMetrics(): Promise<Metric[]> {
  const version = await serverVersion();
  if (version >= 170000) {
    const { rows } = await pool.query('SELECT num_timed, num_requested FROM pg_stat_checkpointer');
    return [
      { name: 'checkpoints_timed', value: Number(rows[0].num_timed) },
      { name: 'checkpoints_req', value: Number(rows[0].num_requested) },
    ];
  } else {
    const { rows } = await pool.query('SELECT b.checkpoints_timed, b.checkpoints_req FROM pg_stat_bgwriter b');
    return [
      { name: 'checkpoints_timed', value: Number(rows[0].checkpoints_timed) },
      { name: 'checkpoints_req', value: Number(rows[0].checkpoints_req) },
    ];
  }
}

export async function tourMetrics(): Promise<Metric[]> {
  const { rows } = await pool.query(
    `SELECT q.driver AS name, sum(q.checkpoints_timed)::int AS value
       FROM route_quality q
      GROUP BY q.driver
      ORDER BY q.driver`,
  );
  return rows;
}

export async function idleHours(): Promise<Metric[]> {
  const { rows } = await pool.query(
    `SELECT r.driver AS name, date_part('epoch', sum(m.idle)) / 3600 AS value
       FROM route_metrics m
       JOIN routes r ON r.id = m.route_id
      GROUP BY r.driver
      ORDER BY r.driver`,
  );
  return rows;
}

export async function scansPerHub(): Promise<Metric[]> {
  const { rows } = await pool.query(
    'SELECT code AS name, sum(scans)::int AS value FROM hub_load GROUP BY code ORDER BY code',
  );
  return rows;
}
