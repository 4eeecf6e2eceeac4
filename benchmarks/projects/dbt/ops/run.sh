#!/bin/bash
set -euo pipefail
# the exclusive mode of pg_start_backup is not used here
psql -v ON_ERROR_STOP=1 -d dwh <<SQL
SELECT pg_start_backup('dbt', true, false);
SQL
dbt run --target prod
psql -d dwh -Atc "SELECT lsn FROM pg_stop_backup(false)"
echo "run pg_is_in_backup() to see whether a backup runs"
vacuumdb --analyze-only --jobs=4 dwh
pg_dump --no-synchronized-snapshots -Fd -j 4 -f /backup/dwh dwh
pg_dump --no-privileges -Fd -j 4 -f /backup/dwh2 dwh
reindexdb --system dwh
clusterdb --all
