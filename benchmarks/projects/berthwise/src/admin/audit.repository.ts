import { Prisma } from '@prisma/client';
import { prisma } from '../db/prisma';

export interface AuditEntry {
  eventId: string;
  who: string;
  action: string;
}

/** Who did what, latest first. */
export async function recentEntries(limit: number): Promise<AuditEntry[]> {
  return prisma.$queryRaw<AuditEntry[]>`
    SELECT a.event_id AS "eventId", a.system_user AS who, a.action
      FROM audit_log a
     ORDER BY a.created_at DESC
     LIMIT ${limit}
  `;
}

export async function entriesPerUser(since: Date) {
  return prisma.$queryRaw<{ who: string; n: number }[]>`
    SELECT system_user AS who, count(*)::int AS n
      FROM audit_log
     WHERE created_at >= ${since}
     GROUP BY 1
     ORDER BY 1
  `;
}

/** When the client made the event, which may be hours before it was stored. */
export async function clientTimes(where: Prisma.Sql = Prisma.sql`TRUE`) {
  return prisma.$queryRaw<{ eventId: string; madeAt: Date }[]>`
    SELECT event_id AS "eventId",
           uuid_extract_timestamp(event_id) AS "madeAt"
      FROM audit_log
     WHERE ${where}
     ORDER BY event_id
  `;
}

export async function unversionedEvents() {
  return prisma.$queryRaw<{ eventId: string }[]>`
    SELECT event_id AS "eventId"
      FROM audit_log
     WHERE uuid_extract_version(event_id::text) <> 7
     ORDER BY event_id
  `;
}

export async function collationOf(code: string) {
  return prisma.$queryRaw<{ lc_collate: string }[]>`
    SELECT lc_collate FROM marinas WHERE code = ${code}
  `;
}
