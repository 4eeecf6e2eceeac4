import type { PoolClient } from 'pg';
import { pool } from '../lib/db';

const ROLLS_OF_MATERIAL = `
  SELECT r.id, r.lot_code, r.width_mm, r.meters, r.received_on
    FROM rolls r
   WHERE r.material_id = $1 AND NOT r.quarantined
   ORDER BY r.received_on, r.id`;

export async function rollsOf(materialId: number) {
  const { rows } = await pool.query(ROLLS_OF_MATERIAL, [materialId]);
  return rows;
}

/**
 * The adhesive keeps for 24 months after the web was coated. The supplier's
 * lot code is the day of coating.
 */
export async function expiringRolls(withinDays: number) {
  const { rows } = await pool.query(
    `SELECT r.id, r.lot_code, m.name,
            (r.lot_code::date + interval '24 months')::date AS expires_on
       FROM rolls r
       JOIN materials m ON m.id = r.material_id
      WHERE r.received_on < current_date + $1::int
      ORDER BY expires_on, r.id`,
    [withinDays],
  );
  return rows;
}

/** Days that a lot was on its way to us. */
export async function transitDays(supplierId: number) {
  const { rows } = await pool.query(
    `SELECT r.lot_code, r.received_on - to_date(r.lot_code, '"Y"YYYY"M"MM"D"DD') AS days
       FROM rolls r
       JOIN materials m ON m.id = r.material_id
      WHERE m.supplier_id = $1
      ORDER BY days DESC, r.lot_code`,
    [supplierId],
  );
  return rows;
}

export async function lotsOfYear(year: string) {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS lots FROM rolls WHERE lot_code LIKE 'Y' || $1 || 'M%D%'`,
    [year],
  );
  return rows[0].lots as number;
}

export async function book(client: PoolClient, rollId: number, meters: number): Promise<number> {
  const { rows } = await client.query(
    'UPDATE rolls SET meters = meters - $2 WHERE id = $1 AND meters >= $2 RETURNING meters',
    [rollId, meters],
  );
  if (rows.length === 0) {
    throw new Error(`roll ${rollId} has less than ${meters} m`);
  }
  return Number(rows[0].meters);
}

export async function receipts(from: string, to: string) {
  const { rows } = await pool.query(
    `SELECT m.code, count(*)::int AS rolls, sum(r.meters) AS meters
       FROM rolls r
       JOIN materials m ON m.id = r.material_id
      WHERE r.received_on BETWEEN $1::date AND $2::date
      GROUP BY m.code
      ORDER BY m.code`,
    [from, to],
  );
  return rows;
}
