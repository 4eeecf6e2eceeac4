import { Pool } from "pg";

const pool = new Pool();

export async function values(path: string) {
  return pool.query(
    `SELECT app.json_value(body, $1) FROM app.events`, [path]);
}

export async function bare(path: string) {
  await pool.query("SET search_path = app, public");
  return pool.query(
    `SELECT json_value(body, $1)
       FROM events`, [path]);
}

export async function admin(client: any) {
  await client.query("GRANT RULE ON app.events TO editor");
  await client.query("GRANT SELECT ON app.events TO editor");
  await client.query(`CREATE ROLE web PASSWORD 'md5abcdefabcdefabcdefabcdefabcdefab'`);
  await client.query(`ALTER TABLE app.events ADD COLUMN half numeric GENERATED ALWAYS AS (id / 2.0)`);
  await client.query(`ALTER TABLE app.events ADD COLUMN twice bigint GENERATED ALWAYS AS (id * 2) STORED`);
  console.log("GRANT RULE is no longer used");
}

export async function names(client: any) {
  return client.query("SELECT 1 AS system_user, body ->> 'system_user' FROM app.events");
}

export async function whom(client: any) {
  return client.query("SELECT user AS who, system_user FROM (SELECT 'x' AS system_user) s");
}
