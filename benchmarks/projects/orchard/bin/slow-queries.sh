#!/bin/sh
# mails the twenty worst statements of the week to the developers
set -eu
: "${PGDATABASE:=orchard}"
export PGDATABASE

psql -X -A -F ';' <<'SQL' | mail -s "orchard: slow statements" it@obstbauring.example
SELECT queryid, calls,
       round(total_time::numeric, 1) AS ms,
       left(query, 120) AS statement
  FROM pg_stat_statements
 ORDER BY 3 DESC
 LIMIT 20;
SQL

psql -X -c "SELECT pg_stat_statements_reset()" > /dev/null
