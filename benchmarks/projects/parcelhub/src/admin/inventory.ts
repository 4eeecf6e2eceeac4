import { pool } from '../db/pool';

export interface Relation {
  name: string;
  kind: string;
  note: string;
}

/** What the page "Database" of the back office lists: comment of a relation, or at least its kind. */
export async function relations(): Promise<Relation[]> {
  const { rows } = await pool.query(`
    SELECT c.relname AS name,
           coalesce(obj_description(c.oid, 'pg_class'), c.relkind) AS note
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public'
       AND c.relname IN ('parcels', 'hubs', 'hub_load')
     ORDER BY c.relname`);
  return rows;
}

export async function relationKinds(): Promise<Relation[]> {
  const { rows } = await pool.query(`
    SELECT c.relname AS name,
           CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' ELSE 'other' END AS kind
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
       AND c.relname IN ('parcels', 'scan_events')
     ORDER BY c.relname`);
  return rows;
}

/** The letter that the handhelds send with a scan: r for returned goods, p for prepaid. */
export async function scanLetters(): Promise<{ id: string; letter: string }[]> {
  const { rows } = await pool.query(`
    SELECT s.id, coalesce(s.device, s.relkind) AS letter
      FROM scan_events s
     ORDER BY s.id`);
  return rows;
}

export async function letterCounts(): Promise<{ letter: string; scans: number }[]> {
  const { rows } = await pool.query(`
    SELECT coalesce(s.relkind, 'none') AS letter, count(*)::int AS scans
      FROM scan_events s
     GROUP BY 1
     ORDER BY 1`);
  return rows;
}

export async function partitions(): Promise<{ name: string; bound: string }[]> {
  const { rows } = await pool.query(`
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.scan_events'::regclass
     ORDER BY c.relname`);
  return rows;
}

export async function foreignKeys(): Promise<{ name: string }[]> {
  const { rows } = await pool.query(`
    SELECT conname AS name
      FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
     ORDER BY conname`);
  return rows;
}
