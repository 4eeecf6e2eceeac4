import { prisma } from '../lib/db';

export type AuditEntry = {
  id: bigint;
  action: string;
  system_user: string;
  at: Date;
};

export async function record(entity: string, entityId: number, action: string, by: string, detail?: unknown) {
  await prisma.$executeRaw`
    INSERT INTO audit_entries (entity, entity_id, action, "system_user", detail)
    VALUES (${entity}, ${entityId}, ${action}, ${by}, ${JSON.stringify(detail ?? null)}::jsonb)`;
}

/** What happened to one object, newest first. */
export async function history(entity: string, entityId: number): Promise<AuditEntry[]> {
  return prisma.$queryRaw<AuditEntry[]>`
    SELECT id,
           action,
           system_user,
           at
      FROM audit_entries
     WHERE entity = ${entity} AND entity_id = ${entityId}
     ORDER BY at DESC, id DESC`;
}

/** Number of changes by each service account. */
export async function activity(since: Date) {
  return prisma.$queryRaw<{ system_user: string; changes: number }[]>`
    SELECT a.system_user, count(*)::int AS changes
      FROM audit_entries a
     WHERE a.at >= ${since}
     GROUP BY a.system_user
     ORDER BY changes DESC, a.system_user`;
}

export async function lastActor(orderId: number): Promise<string | undefined> {
  const rows = await prisma.$queryRaw<{ system_user: string }[]>`
    SELECT "system_user"
      FROM audit_entries
     WHERE entity = 'label_orders' AND entity_id = ${orderId}
     ORDER BY at DESC
     LIMIT 1`;
  return rows[0]?.system_user;
}

export async function quarantineLog() {
  return prisma.$queryRaw`
    SELECT r.lot_code, e.detail ->> 'reason' AS reason, upper(e.action) AS system_user
      FROM audit_entries e
      JOIN rolls r ON r.id = e.entity_id
     WHERE e.entity = 'rolls'
     ORDER BY r.lot_code`;
}
