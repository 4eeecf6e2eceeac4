-- Tables that were never filled: candidates for a clean-up.
SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       count(*) AS unused_tables
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind = 'r'
   AND c.reltuples = 0
   AND n.nspname NOT IN ('pg_catalog', 'information_schema');

-- The large ones.
SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       c.oid::regclass::text AS tag_table,
       c.reltuples::int8 AS row_estimate
  FROM pg_class c
 WHERE c.relkind IN ('r', 'm')
   AND c.reltuples > 100000
 ORDER BY c.reltuples DESC
 LIMIT 50;
