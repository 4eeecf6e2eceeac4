#!/bin/sh
# The ten statements that read most, for the weekly review.
set -eu
: "${PGDATABASE:=grainlake}"
export PGDATABASE

psql -X -A -F ';' <<'SQL'
SELECT s.queryid,
       s.calls,
       s.total_exec_time,
       s.blk_read_time
  FROM pg_stat_statements s
 WHERE s.calls > 10
 ORDER BY s.shared_blks_read DESC
 LIMIT 10;
SQL

psql -X -A -F ';' -c "SELECT s.queryid, s.calls, s.rows, s.shared_blks_hit FROM pg_stat_statements s ORDER BY s.rows DESC LIMIT 10"
