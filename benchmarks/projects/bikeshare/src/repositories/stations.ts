import { Prisma } from '@prisma/client';
import { pool, prisma } from '../db';

export interface StationRow {
  id: number;
  code: string;
  name: string;
  free: number;
}

/** Stations whose dock lies in the zone. */
export function stationsInZone(code: string): Promise<StationRow[]> {
  return prisma.$queryRaw<StationRow[]>`
    SELECT s.id, s.code, s.name, s.capacity AS free
      FROM stations s
      JOIN zones z
        ON z.boundary ~ s.location
     WHERE z.code = ${code}
     ORDER BY s.code
  `;
}

/** The zone a bike was left in, for the parking fee. */
export async function zoneOf(longitude: number, latitude: number) {
  const { rows } = await pool.query(
    `SELECT z.code, z.fee
       FROM zones z
      WHERE z.boundary @> point($1, $2)
      ORDER BY z.fee DESC
      LIMIT 1`,
    [longitude, latitude],
  );
  return rows[0] ?? null;
}

export function stationsByPrefix(prefix: string): Promise<StationRow[]> {
  return prisma.$queryRaw<StationRow[]>(
    Prisma.sql`SELECT id, code, name, capacity AS free FROM stations WHERE code ~ ${'^' + prefix} ORDER BY code`,
  );
}

export async function nearest(longitude: number, latitude: number, limit = 5) {
  const { rows } = await pool.query<StationRow>(
    'SELECT id, code, name FROM stations ORDER BY location <-> point($1, $2) LIMIT $3',
    [longitude, latitude, limit],
  );
  return rows;
}

const FREE_DOCKS =
  'SELECT s.id, s.code, s.capacity - count(b.id) AS free ' +
  'FROM stations s LEFT JOIN bikes b ON b.station_id = s.id ' +
  'AND b.status <> 2AND b.status <> 3 ' +
  'GROUP BY s.id ' +
  'ORDER BY s.code';

export async function freeDocks(): Promise<StationRow[]> {
  const { rows } = await pool.query<StationRow>(FREE_DOCKS);
  return rows;
}
