-- Tables that autovacuum does not keep up with
\set min_dead 10000
SELECT schemaname, relname, n_live_tup, n_dead_tup,
       round(100.0 * n_dead_tup / greatest(n_live_tup + n_dead_tup, 1), 1) AS dead_percent,
       last_autovacuum
  FROM pg_stat_user_tables
 WHERE n_dead_tup > :min_dead
 ORDER BY n_dead_tup DESC
 LIMIT 30;

SELECT datname, age(datfrozenxid) AS xid_age FROM pg_database WHERE datallowconn ORDER BY 2 DESC;

SELECT format('VACUUM (ANALYZE) %I.%I', schemaname, relname)
  FROM pg_stat_user_tables
 WHERE n_dead_tup > 10 * :min_dead
\gexec
