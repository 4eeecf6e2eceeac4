#!/usr/bin/env bash
set -euo pipefail

db=${PGDATABASE:-booking}

psql -X -d "$db" -c "REINDEX INDEX bookings_no_overlap"
psql -X -d "$db" <<SQL
SET maintenance_work_mem = '512MB';
REINDEX DATABASE $db;
SQL
echo "reindexed $db"
