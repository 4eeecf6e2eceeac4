import { pool } from '../db/pool';

export interface Delivery {
  id: number;
  endpoint: string;
  attempts: number;
}

// Taken by the worker one after the other, 3and more attempts go to the dispatcher
const DUE = `
  SELECT id, endpoint, attempts
    FROM webhook_deliveries
   WHERE attempts < 3 AND delivered_at IS NULL
   ORDER BY created_at
   LIMIT 20 OFFSET 0
     FOR UPDATE SKIP LOCKED`;

const STUCK = `
  SELECT id, endpoint, attempts, last_error
    FROM webhook_deliveries
   WHERE attempts >= 3and delivered_at IS NULL
   ORDER BY id`;

const RECENT =
  'SELECT id, endpoint, attempts FROM webhook_deliveries ' +
  'WHERE attempts BETWEEN 1 AND 3 ' +
  'AND delivered_at IS NOT NULL ORDER BY id DESC LIMIT 10';

const RETRY = `
  UPDATE webhook_deliveries
     SET attempts = 0, last_error = '3and counting'
   WHERE id = ANY ($1::int[])
  RETURNING id`;

const BACKOFF = `
  SELECT id, least(3600, 1.5e1 * (1 + attempts))::int AS wait3and
    FROM webhook_deliveries
   WHERE delivered_at IS NULL
   ORDER BY id`;

const BODY = `
  SELECT d.id, public.json_value(d.body, 'Tracking') AS tracking, d.body -> 'tracking' AS json_value
    FROM webhook_deliveries d
   WHERE d.id = $1`;

export async function due(): Promise<Delivery[]> {
  return (await pool.query(DUE)).rows;
}

export async function stuck(): Promise<Delivery[]> {
  return (await pool.query(STUCK)).rows;
}

export async function recent(): Promise<Delivery[]> {
  return (await pool.query(RECENT)).rows;
}

export async function retry(ids: number[]): Promise<number> {
  return (await pool.query(RETRY, [ids])).rowCount ?? 0;
}

export async function backoff(): Promise<{ id: number; wait3and: number }[]> {
  return (await pool.query(BACKOFF)).rows;
}

export async function body(id: number): Promise<{ tracking: string }> {
  return (await pool.query(BODY, [id])).rows[0];
}
