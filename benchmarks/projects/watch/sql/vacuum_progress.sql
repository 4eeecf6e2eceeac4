-- who is vacuuming, and how full is the array of dead rows
SELECT p.pid,
       c.relname,
       p.phase,
       p.num_dead_tuples AS dead
  FROM pg_stat_progress_vacuum p
  JOIN pg_class c ON c.oid = p.relid
 ORDER BY p.pid;

-- dead rows according to the cumulative statistics
SELECT s.schemaname, s.relname, s.n_dead_tup AS num_dead_tuples, s.last_autovacuum
  FROM pg_stat_user_tables s
 WHERE s.n_dead_tup > 1000
 ORDER BY num_dead_tuples DESC;
