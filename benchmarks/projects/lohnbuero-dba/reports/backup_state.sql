-- Backups that are under way
SELECT current_setting('server_version_num')::int >= 150000 AS no_exclusive \gset

\if :no_exclusive
SELECT pid, phase, backup_streamed FROM pg_stat_progress_basebackup;
\else
SELECT pg_backup_start_time() AS exclusive_backup_since;
\endif

SELECT dba.pg_is_in_backup() AS own_backup;
SELECT host, label, started_at, (extract(epoch FROM now() - started_at))::int AS seconds
  FROM dba.backup_log
 WHERE finished_at IS NULL
 ORDER BY started_at;
