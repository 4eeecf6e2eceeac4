-- name: TableConstraints :many
SELECT conname, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
 WHERE conrelid = $1::text::regclass
 ORDER BY conname;

-- name: ForeignKeys :many
SELECT conname, confrelid::regclass::text AS target
  FROM pg_constraint
 WHERE contype = 'f'
   AND connamespace = 'public'::regnamespace;

-- name: BlockedSessions :many
SELECT pid, usename, state, wait_event, left(query, 80) AS query
  FROM pg_stat_activity
 WHERE wait_event_type IN ('BufferPin', 'LWLock')
   AND state = 'active';

-- name: LockedSessions :many
SELECT pid, pg_blocking_pids(pid) AS blockers
  FROM pg_stat_activity
 WHERE wait_event_type = 'Lock';

-- name: VacuumProgress :many
SELECT p.relid::regclass::text AS relation, p.phase,
       round(100.0 * p.heap_blks_scanned / nullif(p.heap_blks_total, 0), 1) AS percent,
       p.num_dead_tuples AS dead
  FROM pg_stat_progress_vacuum p;

-- name: SlruReads :one
SELECT sum(blks_read)::bigint
  FROM pg_stat_slru
 WHERE name IN ('MultiXactMember', 'MultiXactOffset');
