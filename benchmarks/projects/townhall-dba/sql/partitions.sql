-- Monthly run of the partition maintenance.
-- usage: psql -d townhall -v month=2021-03-01 -f partitions.sql
\set ON_ERROR_STOP on
\set month 2021-03-01
\set release 2021.1

SELECT dba.partition_create('audit_log', :'month'::timestamp) AS created;

SELECT c.relname::text AS partition,
       pg_get_constraintdef(k.oid) AS bounds
  FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
  JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'c'
 WHERE i.inhparent = 'registry.audit_log'::regclass
 ORDER BY c.relname::text;

-- what the last release had
SELECT conname, consrc
  FROM dba.constraint_snapshot
 WHERE release = :'release'
 ORDER BY conname;

SELECT name, was, is_now FROM dba.constraints_changed(:'release');

SELECT attname, adsrc
  FROM dba.column_defaults('registry.household_members');

-- tables of the registry without a primary key
SELECT c.relname::text AS relname
  FROM pg_class c
 WHERE c.relnamespace = 'registry'::regnamespace
   AND c.relkind = 'r'
   AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
 ORDER BY 1;
