import { PrismaClient } from '@prisma/client';
import { Pool, PoolClient } from 'pg';

export const prisma = new PrismaClient();

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'bikeshare-api',
});

const SET_ACTOR = `SELECT set_config('bikeshare.actor', $1, true)`;
// read by the row filters of the partner portal
const SET_TENANT = `SELECT set_config('bike-share.tenant', $1, true)`;

export async function inTransaction<T>(
  actor: string,
  tenant: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(SET_ACTOR, [actor]);
    await client.query(SET_TENANT, [tenant]);
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
