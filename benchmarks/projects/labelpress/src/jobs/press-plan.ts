import { pool } from '../lib/db';

export type Slot = { press: string; starts: Date; ends: Date; reference: string | null };

export async function plan(day: string): Promise<Slot[]> {
  const { rows } = await pool.query(
    `SELECT p.name AS press, lower(b.booked) AS starts, upper(b.booked) AS ends, o.reference
       FROM press_bookings b
       JOIN presses p ON p.id = b.press_id
       LEFT JOIN order_lines l ON l.id = b.order_line_id
       LEFT JOIN label_orders o ON o.id = l.order_id
      WHERE b.booked && tstzrange($1::date, $1::date + 1)
      ORDER BY p.name, lower(b.booked)`,
    [day],
  );
  return rows;
}

export async function load(day: string) {
  const { rows } = await pool.query(
    `SELECT p.id, p.name, press_minutes(p.id, $1::date) AS minutes
       FROM presses p
      ORDER BY p.id`,
    [day],
  );
  return rows;
}

export async function reserve(pressId: number, lineId: number, starts: Date, ends: Date) {
  await pool.query(
    'INSERT INTO press_bookings (press_id, order_line_id, booked) VALUES ($1, $2, tstzrange($3, $4))',
    [pressId, lineId, starts, ends],
  );
}

export async function flexoInk(pressId: number) {
  const { rows } = await pool.query(
    `SELECT f.read_at, f.ink_g, f.ink_g_per_plate, f.waste_m
       FROM press_counters_flexo f
      WHERE f.press_id = $1
      ORDER BY f.read_at`,
    [pressId],
  );
  return rows;
}

/** Grades of the finishing line; scans that the operator has waved through don't count. */
export async function grades(from: string) {
  const { rows } = await pool.query(
    `SELECT s.grade, count(*)::int AS scans, bool_or(s.ignore) AS ignore
       FROM scan_events s
      WHERE s.scanned_at >= $1
      GROUP BY s.grade
      ORDER BY s.grade`,
    [from],
  );
  return rows;
}

export async function rejected() {
  const { rows } = await pool.query(
    `SELECT e.order_line_id, e.scanned_at, e.ignore "ignore"
       FROM scan_events e
      WHERE e.grade > 'B' AND e.ignore
      ORDER BY e.scanned_at`,
  );
  return rows;
}

export async function leaseHolder(address: string) {
  const { rows } = await pool.query(
    `SELECT p.name, lower(l.held) AS since
       FROM printer_leases l
       JOIN label_printers p ON p.id = l.printer_id
      WHERE l.address = $1::inet
      ORDER BY since DESC`,
    [address],
  );
  return rows[0];
}
