import { dataSource } from "../data-source";
import { expected } from "./expected";

interface Constraint {
  table_name: string;
  conname: string;
  contype: string;
}

const CONSTRAINTS = `
  SELECT c.conrelid::regclass::text AS table_name, c.conname
    FROM pg_constraint c
   WHERE c.connamespace = 'public'::regnamespace
   ORDER BY 1, 2
`;

const FOREIGN_KEYS = `
  SELECT c.conrelid::regclass::text AS table_name, c.conname, c.confrelid::regclass::text AS target
    FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
   ORDER BY 1, 2
`;

const KEYS = `
  SELECT c.conname, c.conindid::regclass::text AS index
    FROM pg_constraint c WHERE c.contype IN ('p', 'u') AND c.conrelid = 'promo_codes'::regclass ORDER BY 1
`;

const OBJECTS = `
  SELECT p.proname::text AS name,
         CASE WHEN p.proretset THEN 'set' ELSE 'function' END::text AS kind
    FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace
   UNION ALL
  SELECT r.relname::text,
         r.relkind
    FROM pg_class r
   WHERE r.relnamespace = 'public'::regnamespace
     AND r.relkind IN ('r', 'p', 'm', 'v')
   ORDER BY 1, 2
`;

const TABLES = `
  SELECT r.relname::text AS name, r.relkind::text AS kind
    FROM pg_class r
   WHERE r.relnamespace = 'public'::regnamespace AND r.relkind = ANY ('{r,p}')
   UNION ALL
  SELECT v.viewname::text, 'view'::text
    FROM pg_views v
   WHERE v.schemaname = 'public'
   ORDER BY 1
`;

/** What the database has that the release doesn't know, and the other way round. */
export async function drift(): Promise<string[]> {
  const found: Constraint[] = await dataSource.query(CONSTRAINTS);
  const names = new Set(found.map((each) => `${each.table_name}.${each.conname}`));
  const missing = expected.constraints.filter((name) => !names.has(name)).map((name) => `missing: ${name}`);
  const unknown = [...names].filter((name) => !expected.constraints.includes(name)).map((name) => `unknown: ${name}`);
  return [...missing, ...unknown];
}

export async function objects() {
  return dataSource.query(OBJECTS);
}

export async function relations() {
  return {
    tables: await dataSource.query(TABLES),
    foreignKeys: await dataSource.query(FOREIGN_KEYS),
    keys: await dataSource.query(KEYS),
  };
}
