\set QUIET on
\pset pager off
-- What do sessions wait for? Run it every minute: psql -f reports/waits.sql
\echo 'WAL'

SELECT count(*) AS waiting
  FROM pg_stat_activity
 WHERE wait_event_type = 'LWLock'
   AND wait_event = 'WALWriteLock';

\echo 'data files'

SELECT count(*) AS waiting
  FROM pg_stat_activity
 WHERE wait_event_type = 'IO'
   AND wait_event = 'DataFileRead';

\echo 'If it is always 0: has WALWriteLock another name?'

SELECT a.pid,
       a.usename,
       s.version,
       s.compression
  FROM pg_stat_activity a
  JOIN pg_stat_ssl s ON s.pid = a.pid
 WHERE a.backend_type = 'client backend'
 ORDER BY a.pid;

-- certificates by cipher
SELECT cipher, bits, count(*) AS compression
  FROM pg_stat_ssl
 WHERE ssl
 GROUP BY cipher, bits;
