#!/bin/bash
# Throwaway database for a developer: scripts/dev-db.sh /tmp/pg
set -euo pipefail
DATADIR=${1:?directory}
pg_ctl start -w -D "$DATADIR" -l "$DATADIR/log" -o "-k $DATADIR -c log_checkpoints=on -c listen_addresses=''"
createdb -h "$DATADIR" parcelhub
for migration in prisma/migrations/*/migration.sql; do
    psql -X -q -v ON_ERROR_STOP=1 -h "$DATADIR" -d parcelhub -f "$migration"
done
psql -X -q -v ON_ERROR_STOP=1 -h "$DATADIR" -d parcelhub -f prisma/seed/demo.sql
