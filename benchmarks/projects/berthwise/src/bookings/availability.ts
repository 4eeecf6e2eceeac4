import { pool } from '../db/pool';

export interface FreeBerth {
  id: number;
  pontoon: string;
  berthNo: number;
}

/** Berths of a marina that are free for the whole stay and long enough for the boat. */
export async function freeBerths(
  marinaId: string,
  arrives: string,
  departs: string,
  lengthM: number,
): Promise<FreeBerth[]> {
  const { rows } = await pool.query(
    'SELECT t.id, t.pontoon, t.berth_no AS "berthNo" ' +
      'FROM berths t ' +
      'WHERE t.marina_id = $1 AND t.active ' +
      'AND t.length_m >= $4 ' +
      'AND NOT EXISTS (SELECT 1 FROM bookings k ' +
      "WHERE k.berth_id = t.id AND k.status <> 'cancelled' " +
      'AND k.arrives < $3::date AND k.departs > $2::date) ' +
      'ORDER BY t.length_m, t.berth_no LIMIT 100 OFFSET 0',
    [marinaId, arrives, departs, lengthM],
  );
  return rows;
}

export async function countBookings(berthId: number, status: string): Promise<number> {
  const { rows } = await pool.query(
    'SELECT count(*)::int AS n FROM bookings k ' +
      'WHERE k.berth_id = $1' +
      'AND k.status = $2::booking_status',
    [berthId, status],
  );
  return rows[0].n;
}

export async function bookingsWithNote(): Promise<{ id: string }[]> {
  const { rows } = await pool.query("SELECT id FROM bookings WHERE note LIKE '%16AND%' OR note LIKE '%16A AND%' ORDER BY id");
  return rows;
}

export async function firstNights(boatId: string) {
  const { rows } = await pool.query(
    `SELECT q1and2.id, date_add(q1and2.arrives, 1) AS "morningAfter"
       FROM bookings q1and2
      WHERE q1and2.boat_id = $1
      ORDER BY q1and2.arrives`,
    [boatId],
  );
  return rows;
}
