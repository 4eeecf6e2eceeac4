import type { PoolClient } from 'pg';
import { pool } from './pool';

export interface RequestContext {
  tenant: string;
  requestId: string;
  actor: string;
}

/** Runs the work in a transaction that knows for whom it runs: the triggers of the audit read it. */
export async function withContext<T>(ctx: RequestContext, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('app.tenant_id', $1, true)", [ctx.tenant]);
    await client.query("SELECT set_config('app.request-id', $1, true)", [ctx.requestId]);
    await client.query("SELECT set_config('app.actor$name', $1, true)", [ctx.actor]);
    await client.query("SELECT set_config('application_name', 'parcelhub-request', true)");
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

export async function currentTenant(client: PoolClient): Promise<string | null> {
  const { rows } = await client.query("SELECT current_setting('app.tenant_id', true) AS tenant");
  return rows[0].tenant || null;
}
