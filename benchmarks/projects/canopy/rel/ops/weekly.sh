#!/bin/sh
# Sunday: rebuild what has bloated, and report what was slow
set -eu

psql -X -d canopy -c 'REINDEX TABLE CONCURRENTLY public.visits'

psql -X -d canopy -v ON_ERROR_STOP=1 -c 'REINDEX DATABASE canopy'

psql -X -At -d canopy <<'SQL' | mail -s 'canopy: reads' ops@canopy.example
SELECT s.queryid,
       s.calls,
       round(s.blk_read_time::numeric, 1)
  FROM pg_stat_statements s
 WHERE s.calls > 100
 ORDER BY 3 DESC
 LIMIT 15;
SQL

psql -X -At -d canopy <<'SQL'
DELETE FROM query_samples WHERE blk_read_time < 10;
SQL
