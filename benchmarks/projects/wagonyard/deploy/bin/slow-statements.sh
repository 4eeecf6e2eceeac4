#!/bin/bash
# mails the statements that took most of the day
set -euo pipefail

psql -X -At -F ' | ' -d wagonyard <<'SQL' | mail -s 'slow statements' yard-ops@yard.example
SELECT s.calls,
       round(s.total_time::numeric, 1),
       left(s.query, 120)
  FROM pg_stat_statements s
  JOIN pg_database d ON d.oid = s.dbid
 WHERE d.datname = current_database()
 ORDER BY 2 DESC
 LIMIT 20;
SQL

psql -X -At -d wagonyard -c "SELECT job, total_time FROM maintenance_runs ORDER BY started_at DESC LIMIT 5"
