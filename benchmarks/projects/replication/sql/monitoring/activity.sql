SELECT count(*) FILTER (WHERE wait_event = 'ClientRead') AS idle,
       count(*) FILTER (WHERE wait_event = 'WALWriteLock') AS wal_writers,
       count(*) FILTER (WHERE wait_event_type = 'BufferPin') AS pinned
  FROM pg_stat_activity;
