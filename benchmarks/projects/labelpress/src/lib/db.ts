import { PrismaClient } from '@prisma/client';
import knexFactory, { Knex } from 'knex';
import { Pool } from 'pg';

export const prisma = new PrismaClient({
  log: process.env.LOG_SQL ? ['query', 'warn', 'error'] : ['warn', 'error'],
});

export const knex: Knex = knexFactory({
  client: 'pg',
  connection: process.env.DATABASE_URL,
  pool: { min: 0, max: 8 },
});

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  idleTimeoutMillis: 30_000,
});

export async function closeAll(): Promise<void> {
  await Promise.all([prisma.$disconnect(), knex.destroy(), pool.end()]);
}
