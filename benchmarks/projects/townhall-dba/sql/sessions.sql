-- Connections and their load. Run hourly by cron.d/townhall, and by hand in case of trouble.
\set warn_at 80

-- the limit that the monitoring shows beside pg_stat_activity
SELECT setting::integer AS max_connections
  FROM pg_settings
 WHERE name = 'max_connections' \gset

\echo connections in use, alarm at :warn_at percent
SELECT count(*) AS used,
       :max_connections AS allowed,
       count(*) * 100 / :max_connections >= :warn_at AS alarm
  FROM pg_stat_activity;

\echo connections of the registry
SELECT usename,
       count(*) AS sessions
  FROM pg_stat_activity
 WHERE datname = current_database()
 GROUP BY usename;

\echo idle in transaction for longer than ten minutes
SELECT pid, usename, client_addr, xact_start
  FROM pg_stat_activity
 WHERE state = 'idle in transaction'
   AND xact_start < now() - interval '10 minutes'
 ORDER BY xact_start;

\echo who blocks whom
SELECT a.pid,
       pg_blocking_pids(a.pid) AS blocked_by,
       left(a.query, 60) AS query
  FROM pg_stat_activity a
 WHERE cardinality(pg_blocking_pids(a.pid)) > 0;

\echo own session
SELECT application_name, backend_start
  FROM pg_stat_activity
 WHERE pid = pg_backend_pid();
