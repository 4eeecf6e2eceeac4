import { Pool, PoolClient } from 'pg';
import knexFactory, { Knex } from 'knex';

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.PG_POOL ?? 10),
  application_name: 'fleet-api',
});

export const knex: Knex = knexFactory({
  client: 'pg',
  connection: process.env.DATABASE_URL,
  searchPath: ['fleet', 'public'],
});

export interface RequestContext {
  depotId: number;
  requestId: string;
}

/** Runs `work` in a transaction that sees only the rows of one depot. */
export async function withContext<T>(context: RequestContext, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('fleet.depot_id', $1, true)", [String(context.depotId)]);
    await client.query("SELECT set_config('fleet-api.request_id', $1, true)", [context.requestId]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
