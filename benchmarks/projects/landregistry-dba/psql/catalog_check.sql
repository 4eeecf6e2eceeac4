-- What is in the schema registry, and what has no owner in our documentation.
\set ON_ERROR_STOP on

\echo 'kinds of relations, with our labels where we have one'
SELECT c.relname::text AS relation,
       coalesce(k.label, c.relkind) AS kind
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN dba.kind_label k ON k.relkind = c.relkind::text
 WHERE n.nspname = 'registry' AND c.relkind IN ('r', 'p', 'v', 'S')
 ORDER BY 1;

\echo 'the same for the schema dba'
SELECT c.relname::text AS relation,
       coalesce(k.label, c.relkind::text) AS kind
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN dba.kind_label k ON k.relkind = c.relkind::text
 WHERE n.nspname = 'dba' AND c.relkind = 'r'
 ORDER BY 1;

\echo 'labels'
SELECT coalesce(k.label, k.relkind) AS kind
  FROM dba.kind_label k
 ORDER BY 1;

SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' ELSE 'other' END AS kind,
       count(*)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'registry' AND c.relkind IN ('r', 'p')
 GROUP BY 1
 ORDER BY 1;

\echo 'rules of the last snapshot'
SELECT d.table_name, d.conname, d.rule_then FROM dba.rule_drift d ORDER BY 1, 2;

\echo 'events by partition'
SELECT e.tableoid::regclass AS partition, count(*)
  FROM registry.title_event e
 WHERE e.happened_on < DATE '2020-01-01'
 GROUP BY 1
 ORDER BY count(*) DESC, 1;

\echo 'scans that are stored without compression'
SELECT s.scan_id, s.file_name, s.compression
  FROM registry.scan_archive s
 WHERE s.compression = 'none'
 ORDER BY s.scan_id;
