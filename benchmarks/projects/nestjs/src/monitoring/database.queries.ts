export const CHECKPOINTS = `
  SELECT checkpoints_timed, stats_reset
    FROM pg_stat_bgwriter
`;

export const CLEANER = `
  SELECT buffers_clean, maxwritten_clean, buffers_alloc
    FROM pg_stat_bgwriter
`;

export const WAL = `
  SELECT wal_records, wal_bytes, wal_buffers_full,
         wal_write
    FROM pg_stat_wal
`;

export const VACUUMS = `
  SELECT p.pid, p.relid::regclass AS relation, p.phase,
         p.heap_blks_scanned, p.heap_blks_total,
         p.max_dead_tuples
    FROM pg_stat_progress_vacuum p
`;

export const PINNED = `
  SELECT pid, state, query
    FROM pg_stat_activity
   WHERE wait_event_type = 'BufferPin'
     AND state = 'active'
`;

export const BLOCKED = `
  SELECT pid, pg_blocking_pids(pid) AS blockers
    FROM pg_stat_activity
   WHERE wait_event_type = 'Lock'
`;
