CREATE VIEW ops.slow_statements AS
SELECT s.queryid, s.calls, s.rows,
       s.blk_read_time + s.blk_write_time AS io_ms,
       left(s.query, 200) AS query
  FROM pg_stat_statements s
 ORDER BY io_ms DESC
 LIMIT 50;

CREATE VIEW ops.database_io AS
SELECT d.datname,
       d.blk_read_time + d.blk_write_time AS io_ms,
       d.temp_bytes
  FROM pg_stat_database d
 WHERE d.datname IS NOT NULL;
