import { knex } from '../lib/db';

/** Materials for the select box; "key" is what the browser filters by. */
export function materialOptions() {
  return knex('materials as m')
    .join('suppliers as s', 's.id', 'm.supplier_id')
    .select('m.id', 'm.code', 'm.name', 's.name as supplier')
    .select(knex.raw('lower(unaccent(m.name)) AS key'))
    .orderBy('m.code');
}

/** Customers whose name begins like this, accents or not. */
export function customerOptions(prefix: string) {
  return knex('customers as c')
    .select('c.id', 'c.number', 'c.name')
    .select(knex.raw('lower(unaccent(c.name)) AS key'))
    .whereRaw(`lower(unaccent(c.name)) LIKE lower(unaccent(?)) || '%'`, [prefix])
    .orderBy('c.number');
}

export async function similarCustomers(name: string) {
  const { rows } = await knex.raw(
    `SELECT c.id, c.name
       FROM customers c
      WHERE c.name % ?
      ORDER BY c.name <-> ?, c.id
      LIMIT 5`,
    [name, name],
  );
  return rows;
}

export async function diesNear(width: number, height: number) {
  const { rows } = await knex.raw(
    `SELECT d.id, d.code, d.width_mm, d.height_mm, d.area_mm2
       FROM dies d
      ORDER BY abs(d.width_mm - ?) + abs(d.height_mm - ?), d.id
      LIMIT 5`,
    [width, height],
  );
  return rows;
}

export async function titlesReversed() {
  const { rows } = await knex.raw('SELECT a.id, reverse(a.title) AS key FROM artworks a ORDER BY a.id');
  return rows;
}

export async function printersAt(siteId: number) {
  const { rows } = await knex.raw(
    `SELECT p.id, p.name, host(p.address) AS address
       FROM label_printers p
       JOIN sites s ON s.id = p.site_id AND p.address << s.network
      WHERE s.id = ?
      ORDER BY p.address`,
    [siteId],
  );
  return rows;
}
