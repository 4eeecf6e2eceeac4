-- First look when the pager rings

-- who waits for whom
SELECT a.pid, a.usename, a.wait_event_type, a.wait_event, pg_blocking_pids(a.pid) AS blocked_by
  FROM pg_stat_activity a
 WHERE a.wait_event_type = 'Lock'
 ORDER BY a.query_start;

-- vacuum at work
SELECT v.pid, v.relid::regclass::text AS relation, v.phase, v.num_dead_tuples, v.max_dead_tuples
  FROM pg_stat_progress_vacuum v
 ORDER BY v.pid;

-- is the inventory what the panel expects
SELECT c.relname, coalesce(nullif(c.relkind::text, 'r'), 'table') AS kind
  FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace
   AND c.relname IN ('server', 'active_server', 'cron_overview')
 ORDER BY c.relname;

-- constraints that were added without a check of the rows
SELECT conrelid::regclass::text AS relation, conname
  FROM pg_constraint
 WHERE contype IN ('c', 'f')
   AND NOT convalidated
   AND connamespace = 'public'::regnamespace
 ORDER BY 1, 2;

-- standbys
SELECT application_name, state, sync_state, replay_lsn FROM pg_stat_replication ORDER BY application_name;

-- transport of the sessions on TLS
SELECT a.usename, s.version, s.cipher
  FROM pg_stat_activity a
  JOIN pg_stat_ssl s ON s.pid = a.pid
 WHERE a.backend_type = 'client backend' AND s.ssl
 ORDER BY a.usename;
