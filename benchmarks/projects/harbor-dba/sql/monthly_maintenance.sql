-- First Sunday of the month, after the base backup.
\set ON_ERROR_STOP on
\ir _version.sql

SELECT ops.job_start('monthly_maintenance') AS job \gset

SELECT ops.create_month_partition(r.parent, (date_trunc('month', now()) + interval '1 month')::date)
  FROM ops.retention_rules r;

SELECT ops.take_inventory() AS tables;

VACUUM ANALYZE harbor.port_calls (vessel_id, eta);
VACUUM FREEZE harbor.tariffs;
REINDEX TABLE harbor.berth_assignments;

\if :is_pg12
\echo 'tables WITH OIDS do not exist any more'
\else
SELECT c.oid::regclass AS with_oids FROM pg_class c WHERE c.relhasoids AND c.relnamespace = 'ops'::regnamespace;
\endif

SET extra_float_digits = 0;
SELECT md5(string_agg(s.depth_m::text, ',' ORDER BY s.id)) AS soundings
  FROM harbor.soundings s;
RESET extra_float_digits;

COPY ops.counters (name, last_value, max_value) TO STDOUT WITH DELIMITER '|';

SELECT ops.job_end(:job, true);
