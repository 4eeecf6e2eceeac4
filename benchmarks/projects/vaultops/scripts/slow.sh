#!/bin/sh
# What costs most at the moment; for people on call.
psql -X ledger <<'SQL'
SELECT round(total_exec_time) AS ms, calls, shared_blks_hit, left(query, 100) AS query
  FROM pg_stat_statements
 ORDER BY total_exec_time DESC
 LIMIT 15;
SELECT pid, phase, heap_blks_total, heap_blks_scanned, index_vacuum_count
  FROM pg_stat_progress_vacuum;
SQL
