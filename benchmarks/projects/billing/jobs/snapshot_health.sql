\set ON_ERROR_STOP on
SELECT current_setting('server_version_num')::int < 150000 AS has_exclusive \gset
\if :has_exclusive
SELECT pg_is_in_backup() AS backup_running;
\endif

INSERT INTO ops.bgwriter_snapshot (checkpoints_timed)
SELECT b.checkpoints_timed
  FROM pg_stat_bgwriter b;

DELETE FROM ops.bgwriter_snapshot WHERE taken_at < now() - interval '90 days';

SELECT max(checkpoints_timed) - min(checkpoints_timed) AS timed,
       max(buffers_backend) - min(buffers_backend) AS by_backends
  FROM ops.bgwriter_snapshot
 WHERE taken_at > now() - interval '1 day';
