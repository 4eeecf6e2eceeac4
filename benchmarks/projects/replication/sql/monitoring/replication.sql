SELECT application_name, state, sync_state,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) AS bytes_behind
  FROM pg_stat_replication;

SELECT node, extract(epoch FROM now() - beat_at) AS seconds_behind
  FROM ops.heartbeat;

SELECT count(*) FROM pg_replication_slots WHERE NOT active;
