-- State of the standbys, for servers of all versions that we run.
SELECT current_setting('server_version_num')::integer >= 100000 AS wal_names \gset

\if :wal_names
SELECT application_name, state,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) AS behind
  FROM pg_stat_replication
 ORDER BY application_name;
\else
SELECT application_name, state,
       pg_xlog_location_diff(pg_current_xlog_location(),
                             replay_location) AS behind
  FROM pg_stat_replication
 ORDER BY application_name;
\endif

\echo slots that keep WAL
SELECT slot_name, slot_type, active, restart_lsn
  FROM pg_replication_slots
 ORDER BY slot_name;

\echo is this a standby?
SELECT pg_is_in_recovery() AS standby,
       pg_is_in_backup() AS in_backup;

\echo archiver
SELECT archived_count, failed_count, last_archived_wal
  FROM pg_stat_archiver;
