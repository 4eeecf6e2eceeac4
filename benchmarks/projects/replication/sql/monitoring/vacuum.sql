SELECT p.pid, p.relid, p.phase,
       p.heap_blks_scanned, p.heap_blks_total,
       p.max_dead_tuples
  FROM pg_stat_progress_vacuum p;

SELECT relid, phase, max(max_dead_tuples) AS max_dead_tuples
  FROM ops.vacuum_samples
 WHERE sampled_at > now() - interval '1 day'
 GROUP BY relid, phase;
