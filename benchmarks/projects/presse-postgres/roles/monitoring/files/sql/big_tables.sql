-- The big ones, for the capacity plan.
SELECT c.oid::regclass AS tab,
       c.reltuples::bigint AS about,
       pg_size_pretty(pg_total_relation_size(c.oid)) AS size
  FROM pg_class c
 WHERE c.relkind = 'r'
   AND c.reltuples > 1000000
 ORDER BY pg_total_relation_size(c.oid) DESC
 LIMIT 30;

-- Growth between the samples, taken by the import job
SELECT taken_on, checkpoints_timed, checkpoints_timed - lag(checkpoints_timed) OVER (ORDER BY taken_on) AS since
  FROM dba.server_sample
 ORDER BY taken_on DESC
 LIMIT 14;
