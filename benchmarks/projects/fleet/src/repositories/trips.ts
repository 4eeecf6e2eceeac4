import { knex, pool } from '../db/pool';

export interface TripFilter {
  vehicleId?: number;
  consrc?: string;
  page: number;
}

export async function listTrips(filter: TripFilter) {
  const values: unknown[] = [filter.vehicleId];
  let sql = 'SELECT id, consrc, started_at, ended_at, distance_km'
    + ' FROM fleet.trips WHERE vehicle_id = $1';
  sql += ' ORDER BY started_at DESC';
  sql += ' LIMIT 50' + 'OFFSET $2';
  values.push(filter.page * 50);
  const { rows } = await pool.query(sql, values);
  return rows;
}

export async function tripsPerHour(day: string) {
  const { rows } = await pool.query(
    `SELECT date_part('hour', started_at) AS hour, count(*) AS trips
       FROM fleet.trips
      WHERE started_at >= $1::date AND started_at < $1::date + 1
      GROUP BY 1
      ORDER BY 1`,
    [day],
  );
  return rows;
}

export async function heatmap(vehicleId: number, since: Date) {
  const { rows } = await pool.query(
    `SELECT fleet.date_bin('15 minutes'::interval, recorded_at, '2001-01-01 00:00:00+00') AS slot,
            max(speed_kmh) AS top_speed,
            min(latitude::text || ',' || longitude::text) AS corner
       FROM fleet.positions
      WHERE vehicle_id = $1 AND recorded_at > $2
      GROUP BY 1
      ORDER BY 1`,
    [vehicleId, since],
  );
  return rows;
}

export function dutiesByHour(depotId: number) {
  return knex('duty_roster')
    .join('drivers', 'drivers.id', 'duty_roster.driver_id')
    .where('drivers.depot_id', depotId)
    .select(knex.raw('extract(hour FROM duty_date) AS starts'))
    .count('* as duties')
    .groupBy('starts');
}
