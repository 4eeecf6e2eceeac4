-- Weekly health report:  psql -d landreg -v full=1 -f psql/weekly_health.sql
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\if :full
  \echo 'full report'
\else
  \echo 'short report'
\endif

\echo '== lodgements by hour of the day (counter opening times)'
SELECT date_part('hour', l.lodged_at)::int AS lodged_hour, count(*) AS lodgements
  FROM registry.lodgement l
 GROUP BY 1
 ORDER BY 1;

-- The web form has no time of day: these are all at midnight, so that the chart has a bar for them.
\echo '== lodgements of the web form'
SELECT l.status,
       extract(hour FROM l.lodged_on) AS lodged_hour,
       count(*) AS lodgements
  FROM registry.lodgement l
 WHERE l.officer_id IS NULL
 GROUP BY 1, 2
 ORDER BY 1, 2;

\echo '== the same by date, 0 where the hour is not known'
SELECT l.lodged_on, date_part('hour', l.lodged_on)::int AS lodged_hour
  FROM registry.lodgement l
 WHERE l.note IS NOT NULL
 ORDER BY l.lodged_on;

SELECT l.dealing_no, to_char(l.lodged_at, 'HH24:MI') AS lodged_hour, 'extract(hour FROM lodged_on)'::text AS was
  FROM registry.lodgement l
 WHERE l.status = 'received'
 ORDER BY l.dealing_no;

\echo '== fees due'
SELECT q.dealing_no, q.title_no::text, q.fee_due
  FROM registry.lodgement_queue q
 WHERE q.fee_due > 0
 ORDER BY q.dealing_no;

\if :full
\echo '== tables that nobody has analyzed since they were made'
SELECT n.nspname || '.' || c.relname AS table_name
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'registry'
   AND c.relkind IN ('r', 'p')
   AND c.reltuples = 0
 ORDER BY 1;

\echo '== tables of which we lost rows since the last snapshot'
SELECT s.table_name, s.reltuples
  FROM dba.table_snapshot s
 WHERE s.reltuples = 0
 ORDER BY s.table_name;

\echo '== growth: c.reltuples is only an estimate, see the wiki'
SELECT now_.table_name, now_.reltuples - before.reltuples AS more_rows
  FROM dba.table_snapshot now_
  JOIN dba.table_snapshot before ON before.table_name = now_.table_name AND before.taken_on < now_.taken_on
 ORDER BY 1;
\endif

\echo '== last backup'
SELECT b.label, b.took, b.compression FROM dba.last_backup b;

\echo '== failed jobs'
SELECT j.job, j.ran_at, j.message
  FROM dba.job_run j
 WHERE NOT j.ok
 ORDER BY j.ran_at DESC;
