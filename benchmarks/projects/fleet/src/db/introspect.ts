import { pool } from './pool';

// What /internal/schema shows to the support team.

const FUNCTIONS = `
  SELECT p.proname, pg_get_function_identity_arguments(p.oid) AS arguments
    FROM pg_proc p
    JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE n.nspname = $1
     AND NOT p.proisagg
   ORDER BY 1, 2`;

const KEYS = `
  SELECT c.relname,
         coalesce(bool_or(i.indisprimary), false) AS relhaspkey
    FROM pg_class c
    LEFT JOIN pg_index i ON i.indrelid = c.oid
   WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind = 'r'
   GROUP BY c.relname`;

const TABLE_COUNT = `
  SELECT count(*) AS tables
    FROM information_schema.tables
   WHERE table_schema = 'fleet'
     AND table_type = 'BASE TABLE'`;

export async function describeSchema() {
  const [functions, keys, count] = await Promise.all([
    pool.query(FUNCTIONS, ['fleet']),
    pool.query(KEYS),
    pool.query(TABLE_COUNT),
  ]);
  return {
    functions: functions.rows,
    keyless: keys.rows.filter((row) => !row.relhaspkey).map((row) => row.relname),
    tables: Number(count.rows[0].tables),
  };
}
