-- psql -f scripts/list_aggregates.sql
SELECT current_setting('server_version_num')::int >= 110000 AS has_prokind \gset

\if :has_prokind
SELECT p.oid::regprocedure AS aggregate FROM pg_proc p WHERE p.prokind = 'a' AND p.pronamespace = 'cms'::regnamespace;
\else
SELECT p.oid::regprocedure AS aggregate FROM pg_proc p WHERE p.proisagg AND p.pronamespace = 'cms'::regnamespace;
\endif
