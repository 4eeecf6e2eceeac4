-- For the monthly meeting with operations: what the service waits for
SELECT left(s.query, 120) AS statement,
       s.calls,
       round(s.total_exec_time::numeric / 1000, 1) AS seconds,
       round(s.blk_read_time::numeric / 1000, 1) AS seconds_reading,
       s.shared_blks_read
  FROM pg_stat_statements s
  JOIN pg_database d ON d.oid = s.dbid
 WHERE d.datname = current_database()
 ORDER BY s.total_exec_time DESC
 LIMIT 25;

-- and the database as a whole
SELECT d.datname,
       d.blks_read,
       round(d.blk_read_time::numeric / 1000, 1) AS seconds_reading,
       d.deadlocks
  FROM pg_stat_database d
 WHERE d.datname = current_database();
