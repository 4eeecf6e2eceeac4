-- Age of the oldest row, and the last runs.
SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       s.relname AS tag_table,
       s.n_dead_tup,
       s.n_live_tup,
       age(c.relfrozenxid) AS frozen_age,
       s.last_autovacuum,
       s.last_autoanalyze
  FROM pg_stat_user_tables s
  JOIN pg_class c ON c.oid = s.relid
 WHERE s.n_dead_tup > 1000;
