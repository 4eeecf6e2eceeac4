-- Top statements. The columns of the view have other names on newer servers (test hosts).
\set ON_ERROR_STOP on
SELECT current_setting('server_version_num')::int >= 130000 AS newer \gset

\if :newer
SELECT s.calls, round(s.total_exec_time::numeric, 1) AS total_ms, left(s.query, 60) AS query
  FROM pg_stat_statements s
 ORDER BY s.total_exec_time DESC
 LIMIT 20;
\else
SELECT s.calls, round(s.total_time::numeric, 1) AS total_ms, left(s.query, 60) AS query
  FROM pg_stat_statements s
 ORDER BY s.total_time DESC
 LIMIT 20;
\endif

SELECT s.calls, s.rows, s.shared_blks_read
  FROM pg_stat_statements s
 ORDER BY s.shared_blks_read DESC
 LIMIT 20;
