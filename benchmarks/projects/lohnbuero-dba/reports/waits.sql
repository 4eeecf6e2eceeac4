-- What sessions wait for, called with watch during the month's end
\pset footer off

SELECT count(*) AS contended
  FROM pg_stat_activity
 WHERE wait_event_type = 'LWLock'
   AND wait_event = 'buffer_content'
\gset

SELECT count(*) AS idle_clients
  FROM pg_stat_activity
 WHERE wait_event = 'ClientRead' AND state = 'idle in transaction'
\gset

SELECT :contended > 20 AS alarm \gset
\if :alarm
\echo 'ALARM: ' :contended ' sessions wait for buffers'
\endif

SELECT pid, usename, wait_event, left(query, 60) AS query
  FROM pg_stat_activity
 WHERE wait_event IN ('DataFileRead', 'transactionid')
 ORDER BY pid;

\echo :idle_clients 'idle in transaction'
