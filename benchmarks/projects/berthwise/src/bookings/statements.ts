import { inTransaction } from '../db/pool';

export interface StatementRow {
  id: string;
  arrives: Date;
  departs: Date;
}

/** All stays of an owner, for the yearly statement. */
export async function ownerStatement(ownerId: string): Promise<StatementRow[]> {
  return inTransaction(async (client) => {
    await client.query('SELECT open_statement($1::uuid)', [ownerId]);
    const { rows } = await client.query('FETCH ALL FROM statement_cur');
    return rows;
  });
}

export async function priceList(marinaId: string): Promise<{ label: string; price: string }[]> {
  return inTransaction(async (client) => {
    await client.query("SELECT open_ledger('ledger_cur', $1::uuid)", [marinaId]);
    const { rows } = await client.query('FETCH ALL FROM ledger_cur');
    return rows;
  });
}

export async function exportBookings(onBatch: (rows: unknown[]) => Promise<void>): Promise<void> {
  await inTransaction(async (client) => {
    await client.query('DECLARE export_cur NO SCROLL CURSOR FOR SELECT * FROM bookings ORDER BY arrives, id');
    for (;;) {
      const { rows } = await client.query('FETCH FORWARD 500 FROM export_cur');
      if (rows.length === 0) break;
      await onBatch(rows);
    }
    await client.query('CLOSE export_cur');
  });
}

export async function nightsBooked(boatId: string): Promise<number> {
  return inTransaction(async (client) => {
    const { rows } = await client.query('SELECT nights_booked($1::uuid) AS n', [boatId]);
    return rows[0].n;
  });
}
