import { prisma } from '../db/prisma';

export interface LeaseEnd {
  id: number;
  berthId: number;
  ends: Date;
}

export async function leaseEnds(): Promise<LeaseEnd[]> {
  return prisma.$queryRaw<LeaseEnd[]>`
    SELECT l.id,
           l.berth_id AS "berthId",
           (l.starts + (l.term_years || ' years')::interval)::date AS ends
      FROM leases l
     ORDER BY l.id
  `;
}

/** Leases are announced for renewal half a year before they end; boats older than that pay a deposit. */
export async function depositDue(today: string) {
  return prisma.$queryRaw<{ id: number }[]>`
    SELECT l.id
      FROM leases l
     WHERE l.starts + interval '1.5 years' <= ${today}::date
     ORDER BY l.id
  `;
}

export async function pricedStays(marinaId: string) {
  return prisma.$queryRaw<{ label: string; hours: number; price: string }[]>`
    SELECT t.label,
           (date_part('epoch', t.stay_length + t.grace) / 3600)::int AS hours,
           t.price
      FROM tariffs t
     WHERE t.marina_id = ${marinaId}::uuid
     ORDER BY t.price, t.id
  `;
}

export async function activeOwners() {
  return prisma.$queryRaw<{ id: string }[]>`
    SELECT o.id FROM owners o WHERE o.valid_until = 'infinity'::timestamptz OR o.valid_until > now() ORDER BY o.id
  `;
}

export async function invoiceLetters(count: number) {
  return prisma.$queryRaw<{ letter: string }[]>`
    SELECT chr(64 + n) AS letter FROM generate_series(1, ${count}::int) AS n ORDER BY n
  `;
}
