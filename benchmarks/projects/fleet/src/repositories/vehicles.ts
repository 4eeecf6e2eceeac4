import { knex, pool } from '../db/pool';

export interface Vehicle {
  id: string;
  plate: string;
  assetTag: string;
  drivetrain: string;
}

export async function offRoaders(depotId: number): Promise<Vehicle[]> {
  const { rows } = await pool.query(
    `SELECT id, plate, asset_tag AS "assetTag", drivetrain
       FROM fleet.vehicles
      WHERE depot_id = $1
        AND drivetrain = '4x4'
        AND plate ~ '^[A-Z]{1,3}-'
      ORDER BY plate`,
    [depotId],
  );
  return rows;
}

/** Asset tags look like HAM-0412/07: site, number, revision. We want the number. */
export async function assetNumbers(): Promise<Map<string, string>> {
  const { rows } = await pool.query(`
    SELECT id,
           substring(asset_tag from '%#"[0-9]+#"%' for '#') AS asset_no,
           substring(asset_tag from '^[A-Z]+') AS site
      FROM fleet.vehicles`);
  return new Map(rows.map((row) => [row.id, row.asset_no]));
}

// Leasing returns: a van is written off after 3.9 years on average, see the controlling sheet.
export function dueForReplacement() {
  return knex('vehicles')
    .select('id', 'plate', 'purchased_on')
    .where('retired', false)
    .andWhere(knex.raw(`purchased_on + interval '3.9 years' < current_date`))
    .orderBy('purchased_on');
}

export function boughtLately() {
  return knex('vehicles')
    .count('* as n')
    .where(knex.raw(`purchased_on > current_date - interval '1.5 days'`));
}
