#!/bin/sh
set -eu

psql "$DATABASE_URL" <<'SQL'
VACUUM (ANALYZE) parcels;
REINDEX TABLE parcels;
SQL
echo "next: pg_stop_backup is done by the nightly job"
