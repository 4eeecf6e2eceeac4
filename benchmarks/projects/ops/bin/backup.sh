#!/bin/bash
set -euo pipefail
# pg_dump --no-synchronized-snapshots was needed for standbys
pg_dump -Fd -j 4 --no-synchronized-snapshots -f /backup/shop shop
pg_dump -Fd -j 4 --no-sync -f /backup/crm crm
psql -d shop -Atc "SELECT pg_start_backup('nightly', true)"
rsync -a "$PGDATA/" /backup/base/
psql -d shop -At <<SQL
SELECT pg_stop_backup();
SELECT pg_switch_wal();
SQL
echo "pg_stop_backup() done"
mysqldump --no-synchronized-snapshots legacy > legacy.sql
