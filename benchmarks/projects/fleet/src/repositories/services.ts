import { knex, pool } from '../db/pool';

/** The workshop sends costs as text: "412.50". */
export async function costs(vehicleId: number) {
  const { rows } = await pool.query(
    `SELECT done_on, to_number(cost, '999999.99') AS cost
       FROM fleet.services
      WHERE vehicle_id = $1
      ORDER BY done_on`,
    [vehicleId],
  );
  return rows;
}

export function overdue() {
  return knex('services as s')
    .join('service_plans as p', 'p.id', 's.plan_id')
    .groupBy('s.vehicle_id', 'p.id', 'p.name', 'p.every')
    .havingRaw('max(s.done_on) + p.every < current_date')
    .select('s.vehicle_id', 'p.name');
}
