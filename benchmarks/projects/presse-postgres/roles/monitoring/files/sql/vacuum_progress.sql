-- How far is VACUUM, and does it need several rounds over the indexes?
SELECT p.pid,
       p.datname,
       p.relid::regclass AS tab,
       p.phase,
       round(100.0 * p.heap_blks_scanned / nullif(p.heap_blks_total, 0), 1) AS scanned,
       p.index_vacuum_count,
       p.max_dead_tuples,
       now() - a.xact_start AS since
  FROM pg_stat_progress_vacuum p
  JOIN pg_stat_activity a USING (pid)
 ORDER BY a.xact_start;
