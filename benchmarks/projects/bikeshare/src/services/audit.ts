import { pool } from '../db';

export interface AuditEntry {
  happened_at: Date;
  operation: string;
  account: string;
}

/** Who changed a bike by hand? Shown in the back office. */
export async function bikeHistory(bikeId: number): Promise<AuditEntry[]> {
  const { rows } = await pool.query<AuditEntry>(
    `SELECT happened_at, operation,
            system_user AS account
       FROM audit_log
      WHERE table_name = 'bikes' AND old_row ->> 'id' = $1::text
      ORDER BY happened_at DESC`,
    [bikeId],
  );
  return rows;
}

export async function changesBy(account: string) {
  const { rows } = await pool.query(
    `SELECT happened_at, table_name, operation
       FROM audit_log a
      WHERE a."system_user" = $1
      ORDER BY happened_at DESC`,
    [account],
  );
  return rows;
}
