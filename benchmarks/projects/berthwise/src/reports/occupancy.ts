import { prisma } from '../db/prisma';

export async function refreshOccupancy(): Promise<void> {
  await prisma.$executeRawUnsafe('REFRESH MATERIALIZED VIEW CONCURRENTLY "berth_occupancy"');
}

export async function refreshSurcharges(): Promise<void> {
  await prisma.$executeRawUnsafe('REFRESH MATERIALIZED VIEW CONCURRENTLY "booking_surcharges"');
}

export async function occupancyBySeason(season: string) {
  return prisma.$queryRaw<{ berthId: number; nights: number }[]>`
    SELECT o.berth_id AS "berthId", o.nights::int AS nights
      FROM berth_occupancy o
     WHERE o.season = ${season}
     ORDER BY o.berth_id
  `;
}
