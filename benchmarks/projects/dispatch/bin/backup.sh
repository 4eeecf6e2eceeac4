#!/bin/bash
# Nightly base backup of db1 by rsync; WAL is archived all the time.
set -euo pipefail
target=${1:?target directory}
label="dispatch-$(date +%F)"

psql -X -q -d postgres <<SQL
CHECKPOINT;
SELECT pg_start_backup('$label', true);
SQL

rsync -a --delete --exclude pg_wal --exclude postmaster.pid "$PGDATA/" "$target/$label/"

echo "calling pg_stop_backup()"
psql -X -q -d postgres <<SQL
SELECT pg_stop_backup();
SQL
find "$target" -maxdepth 1 -name 'dispatch-*' -mtime +14 -exec rm -rf {} +
