import { pool } from '../db/pool';

const INSIDE = `
  SELECT g.id, g.name, p.vehicle_id
    FROM fleet.last_positions p
    JOIN fleet.geofences g
      ON g.boundary ~ p.position
   WHERE g.depot_id = $1`;

const AT_POINT = `
  SELECT id, name
    FROM fleet.geofences
   WHERE boundary @> point($1, $2)
   ORDER BY id`;

export async function vehiclesInside(depotId: number) {
  const { rows } = await pool.query(INSIDE, [depotId]);
  return rows;
}

export async function geofencesAt(longitude: number, latitude: number) {
  const { rows } = await pool.query(AT_POINT, [longitude, latitude]);
  return rows;
}
