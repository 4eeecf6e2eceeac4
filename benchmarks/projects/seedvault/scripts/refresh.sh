#!/bin/sh
# Hourly: the summary that the catalogue shows
set -eu

psql -X -q -v ON_ERROR_STOP=1 "$DATABASE_URL" \
  -c "SET lock_timeout = '5s'" -c "REFRESH MATERIALIZED VIEW CONCURRENTLY viability_summary"

psql -X -q -v ON_ERROR_STOP=1 "$DATABASE_URL" <<'SQL'
ANALYZE accessions;
ANALYZE germination_tests;
SQL

echo "summary refreshed; run pg_start_backup by hand before a move of the server"
