import { pool } from '../db/pool';

export interface Device {
  id: number;
  serial: string;
  account: string;
}

export async function devicesOfHub(hubId: number): Promise<Device[]> {
  const { rows } = await pool.query(
    `SELECT d.id, d.serial, d.system_user AS account
       FROM hub_devices d
      WHERE d.hub_id = $1
      ORDER BY d.id`,
    [hubId],
  );
  return rows;
}

export async function renameAccount(hubId: number, from: string, to: string): Promise<number> {
  const result = await pool.query(
    'UPDATE hub_devices SET "system_user" = $3 WHERE hub_id = $1 AND "system_user" = $2',
    [hubId, from, to],
  );
  return result.rowCount ?? 0;
}

export async function accountsInUse(): Promise<{ system_user_id: number; devices: number }[]> {
  const { rows } = await pool.query(
    'SELECT system_user_id, count(*)::int AS devices FROM hub_devices GROUP BY system_user_id ORDER BY system_user_id',
  );
  return rows;
}

/** The login of this process, for the page "About". */
export async function whoAmI(): Promise<string> {
  const { rows } = await pool.query("SELECT session_user || ' as ' || current_user AS who, 'system_user' AS label");
  return rows[0].who;
}

export async function seen(serial: string): Promise<void> {
  await pool.query('UPDATE hub_devices SET last_seen = now() WHERE serial = $1', [serial]);
}
