#!/bin/sh
# Mail for the Monday meeting.
set -eu

DB=${PGDATABASE:-newsroom}

psql -X -d "$DB" <<'SQL'
\pset format aligned
\pset border 1
SELECT calls,
       round(total_time::numeric / 1000, 1) AS seconds,
       left(query, 80) AS query
  FROM pg_stat_statements
 ORDER BY 2 DESC
 LIMIT 20;
SQL

psql -X -d "$DB" -c "SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables WHERE schemaname = 'cms' ORDER BY 2 DESC LIMIT 10"
