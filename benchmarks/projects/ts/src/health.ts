import { PrismaClient } from "@prisma/client";

const prisma = new PrismaClient();

export const MESSAGE = "Show lc_ctype of the database";

// await prisma.$queryRaw`SHOW lc_collate`;

export async function health(id: number) {
  const collate = await prisma.$queryRaw`SHOW lc_collate`;
  const encoding = await prisma.$queryRaw`SHOW server_encoding`;
  const tenant = await prisma.$queryRaw`SELECT lc_ctype, colliculocale FROM "Tenant" WHERE id = ${id}`;
  const users = await prisma.$queryRaw`SELECT system_user FROM "User" WHERE id = ${id}`;
  const quoted = await prisma.$queryRaw`SELECT "system_user" FROM "User" WHERE id = ${id}`;
  const background = await prisma.$queryRaw`
    SELECT u.id,
           b.checkpoint_write_time
      FROM "User" u
     CROSS JOIN pg_stat_bgwriter b
     WHERE u.id = ${id}
  `;
  const cleaned = await prisma.$queryRaw`SELECT buffers_clean FROM pg_stat_bgwriter`;
  const started = await prisma.$executeRawUnsafe("SELECT pg_start_backup('prisma')");
  const sequence = await prisma.$queryRawUnsafe(`SELECT uuidv7(), id FROM "User"`);
  const random = await prisma.$queryRawUnsafe(`SELECT gen_random_uuid() AS key, id FROM "User"`);
  const crc = await prisma.$queryRawUnsafe(`SELECT crc32(data) FROM "Tenant"`);
  const crcOurs = await prisma.$queryRawUnsafe(`SELECT public.crc32(data) FROM "Tenant"`);
  const text = await prisma.$queryRawUnsafe(`SELECT xmltext(email) FROM "User"`);
  const scalar = await prisma.$queryRawUnsafe(`SELECT json_scalar_text(email) FROM "User"`);
  return { collate, encoding, tenant, users, quoted, background, cleaned, started, sequence, random, crc, crcOurs, text, scalar };
}
