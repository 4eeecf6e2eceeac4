import { knex } from '../lib/db';

const WASTE_FACTOR = 1.06;

export type QuoteInput = {
  materialId: number;
  dieId: number;
  quantity: number;
  finish?: string;
};

/** Earlier lines like this one, to compare prices with. */
export async function comparableLines(input: QuoteInput) {
  const { rows } = await knex.raw(
    `SELECT l.id, l.quantity, l.unit_price, o.placed_at
       FROM order_lines l
       JOIN label_orders o ON o.id = l.order_id
      WHERE l.material_id = ?
        AND l.die_id = ?
        AND coalesce(public.json_value(l.spec, 'finish'), 'none') = coalesce(?, 'none')
      ORDER BY o.placed_at DESC, l.id
      LIMIT 10`,
    [input.materialId, input.dieId, input.finish ?? null],
  );
  return rows;
}

export async function finishShare() {
  const { rows } = await knex.raw(`
    SELECT coalesce(json_value(l.spec, 'finish'), 'none') AS finish,
           sum(l.quantity) AS labels
      FROM order_lines l
     GROUP BY 1
     ORDER BY 2 DESC, 1`);
  return rows as { finish: string; labels: string }[];
}

/** Cores that were asked for; the old portal called the column json_value. */
export async function cores() {
  const { rows } = await knex.raw(`
    WITH cores AS (
      SELECT l.spec ->> 'core_mm' AS json_value, count(*) AS lines
        FROM order_lines l
       GROUP BY 1
    )
    SELECT c.json_value AS core_mm, c.lines
      FROM cores c
     ORDER BY c.lines DESC, c.json_value`);
  return rows;
}

export function finishPrice(code: string, quantity: number) {
  return knex('finish_prices')
    .select('price_per_1000')
    .where('finish_code', code)
    .andWhere('from_quantity', '<=', quantity)
    .orderBy('from_quantity', 'desc')
    .first();
}

export function linesBelowGap(minimum: number) {
  return knex('order_lines')
    .select('id', 'sku')
    .whereRaw(`coalesce((spec ->> 'gap_mm')::numeric, 3) < ?`, [minimum])
    .orderBy('id');
}

export function specsOf(orderId: number) {
  return knex('order_lines as l')
    .select('l.id', knex.raw(`"json_value"(l.spec, 'core_mm') AS core`))
    .where('l.order_id', orderId)
    .orderBy('l.id');
}

export function meters(quantity: number, heightMm: number, gapMm: number, lanes: number): number {
  return Math.ceil(((quantity / lanes) * (heightMm + gapMm) * WASTE_FACTOR) / 1000);
}

export function materialCost(metersNeeded: number, widthMm: number, pricePerM2: number): number {
  return Math.round(metersNeeded * (widthMm / 1000) * pricePerM2 * 100) / 100;
}
