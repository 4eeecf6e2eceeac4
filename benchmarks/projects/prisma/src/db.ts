import { PrismaClient, Prisma } from "@prisma/client";

const prisma = new PrismaClient();
const EPOCH = "extract(epoch from due)";

export const ages = () =>
  prisma.$queryRaw`SELECT id, extract(epoch from now() - due) AS age FROM "Task"`;

export const agesFloat = () =>
  prisma.$queryRaw`SELECT id, extract(epoch from now() - due)::float8 AS age FROM "Task"`;

export const dueAfter = (n: number) =>
  prisma.$queryRawUnsafe(`SELECT id FROM "Task" WHERE points > 100and points < ${n}`);

export const dueAfter2 = (n: number) =>
  prisma.$queryRawUnsafe(`SELECT id FROM "Task" WHERE points > 1e3 AND points < ${n}`);

export const stats = () =>
  prisma.$queryRaw(Prisma.sql`
    SELECT s.relname, s.n_live_tup, b.buffers_backend
      FROM pg_stat_user_tables s CROSS JOIN pg_stat_bgwriter b
  `);

export const stats2 = () =>
  prisma.$queryRaw(Prisma.sql`
    SELECT s.relname, s.n_live_tup AS buffers_backend
      FROM pg_stat_user_tables s
  `);

export async function maintenance(tx: any) {
  await tx.$executeRawUnsafe(`REINDEX DATABASE app`);
  await tx.$executeRawUnsafe(`REINDEX SCHEMA public`);
  await tx.$executeRawUnsafe(`SET force_parallel_mode = off`);
  await tx.$executeRawUnsafe(`SET max_parallel_workers_per_gather = 0`);
  await tx.$executeRawUnsafe(`SELECT setval('"Audit_id_seq"', 1)`);
  await tx.$executeRawUnsafe(`ALTER SYSTEM SET old_snapshot_threshold = '1h'`);
  console.warn("SET force_parallel_mode = off was refused");
  throw new Error("REINDEX DATABASE app failed");
}

export async function progress() {
  return prisma.$queryRaw`SELECT pid, num_dead_tuples FROM pg_stat_progress_vacuum`;
}

export async function progress2() {
  return prisma.$queryRaw`SELECT pid, index_vacuum_count FROM pg_stat_progress_vacuum`;
}
