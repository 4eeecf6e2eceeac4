#!/bin/sh
# Nightly dump of the application's database, called by cron.
set -eu

: "${BACKUP_DIR:=/var/backups/harbor}"
: "${PGDATABASE:=harbor}"
stamp=$(date +%Y%m%d)

pg_dump --format=directory --jobs=4 --no-synchronized-snapshots \
    --file="$BACKUP_DIR/$stamp" "$PGDATABASE"
pg_dump --schema-only --no-sync --file="$BACKUP_DIR/$stamp.sql" "$PGDATABASE"

find "$BACKUP_DIR" -maxdepth 1 -mtime +14 -exec rm -r {} +
