#!/bin/bash
# Nightly logical dump of postroute, 02:15 (cron, user postgres).
set -euo pipefail

DB=${PGDATABASE:-postroute}
TARGET=/var/backups/postroute/$(date +%F)
mkdir -p "$TARGET"

# pg_start_backup is not needed here, the dump is consistent by itself
pg_dump --format=directory --jobs=4 \
    --no-synchronized-snapshots \
    --file="$TARGET/data" "$DB"

pg_dump --no-sync --schema-only --file="$TARGET/schema.sql" "$DB"

find /var/backups/postroute -maxdepth 1 -mtime +21 -exec rm -rf {} +
