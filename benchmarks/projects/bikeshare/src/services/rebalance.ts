import { inTransaction } from '../db';

const BATCH = 25;

export interface Stop {
  id: number;
  code: string;
  free: number;
}

/** Streams the stations with free docks to the planner of the van's tour. */
export function planTour(minFree: number, visit: (stops: Stop[]) => Promise<void>) {
  return inTransaction('rebalance', 'velopark', async (client) => {
    await client.query('SELECT open_rebalance($1)', [minFree]);
    for (;;) {
      const { rows } = await client.query<Stop>(`FETCH ${BATCH} FROM rebalance_cur`);
      if (rows.length === 0) break;
      await visit(rows);
    }
    await client.query('SELECT pg_advisory_xact_lock(4711)');
  });
}

export function emptyStations(): Promise<{ code: string }[]> {
  return inTransaction('rebalance', 'velopark', async (client) => {
    await client.query('SELECT open_empty_docks()');
    const { rows } = await client.query<{ code: string }>('FETCH ALL FROM docks_cur');
    return rows;
  });
}
