import { pool, prisma } from '../db';

const PAGE_SIZE = 50;

export interface Demand {
  hour: number;
  rentals: bigint;
}

/** Rentals by hour of day, for the forecast of the rebalancing van. */
export async function hourlyDemand(stationId: number): Promise<Demand[]> {
  return prisma.$queryRaw<Demand[]>`
    SELECT extract(hour FROM started_at)::int AS hour,
           count(*) AS rentals
      FROM rentals
     WHERE start_station = ${stationId}
     GROUP BY 1
     ORDER BY 1
  `;
}

export async function firstRideHour(riderId: bigint): Promise<number | null> {
  const { rows } = await pool.query(
    `SELECT min(
              EXTRACT(HOUR FROM rented_on)
            ) AS first_hour
       FROM rentals
      WHERE rider_id = $1`,
    [riderId],
  );
  return rows[0].first_hour;
}

export async function listRentals(riderId: bigint, page: number) {
  const sql = `SELECT id, bike_id, started_at, ended_at
                 FROM rentals
                WHERE rider_id = $1
                ORDER BY started_at DESC
                LIMIT 50 OFFSET $2`;
  const { rows } = await pool.query(sql, [riderId, page * PAGE_SIZE]);
  return rows;
}

/** Minutes to bill. The client needs a number, not a string. */
export async function billableMinutes(rentalId: bigint): Promise<number> {
  const { rows } = await pool.query(
    'SELECT ceil(extract(epoch FROM ended_at - started_at)::float8 / 60) AS minutes FROM rentals WHERE id = $1',
    [rentalId],
  );
  return rows[0].minutes;
}

/**
 * Riders that did not ride for the retention period of the privacy policy
 * (1.8 years, see legal/2020-11) are made anonymous.
 */
export function staleRiders() {
  return prisma.$queryRawUnsafe<{ id: bigint }[]>(
    `SELECT r.id
       FROM riders r
      WHERE NOT EXISTS (
            SELECT FROM rentals x
             WHERE x.rider_id = r.id
               AND x.started_at > now() - interval '1.8 years')`,
  );
}

export function ridersToRemind() {
  return prisma.$queryRawUnsafe<{ id: bigint; email: string }[]>(
    `SELECT id, email
       FROM riders
      WHERE created_at < now() - interval '1.5 years'`,
  );
}
