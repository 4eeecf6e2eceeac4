#!/bin/sh
# copies the schema cdc for the test environment
set -eu

: "${PGDATABASE:=cdc}"
OUT=${1:-/var/backups/cdcstream}
mkdir -p "$OUT"

# definitions only, the file system is a scratch disk
pg_dump --schema-only --no-sync --schema=cdc --file="$OUT/schema.sql" "$PGDATABASE"

# data in parallel; pgbouncer in front of the standby can't export snapshots
pg_dump --format=directory --jobs=4 \
        --no-synchronized-snapshots \
        --schema=cdc --exclude-table='cdc.snapshot_*' \
        --file="$OUT/data.$(date +%Y%m%d)" "$PGDATABASE"

echo "done; the helper pg_start_backup is no longer used here"
