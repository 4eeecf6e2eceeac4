\ir lib/header.psql

\o /srv/reports/functions.csv
SELECT n.nspname AS schema, p.proname AS function, l.lanname AS language,
       pg_get_function_identity_arguments(p.oid) AS arguments
  FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
  JOIN pg_language l ON l.oid = p.prolang
 WHERE n.nspname IN ('dw', 'etl')
   AND NOT p.proisagg
 ORDER BY 1, 2;

\o /srv/reports/tables.csv
SELECT t.table_schema || '.' || t.table_name AS relation,
       CASE t.table_type WHEN 'BASE TABLE' THEN 'local'
                         WHEN 'FOREIGN TABLE' THEN 'remote'
                         ELSE 'view' END AS kind
  FROM information_schema.tables t
 WHERE t.table_schema IN ('dw', 'etl');

\o /srv/reports/undocumented.csv
SELECT d.relation
  FROM etl.relation_doc d
 WHERE d.owner_team IS NULL
   AND d.kind <> 'FOREIGN TABLE'
 ORDER BY 1;
\o
