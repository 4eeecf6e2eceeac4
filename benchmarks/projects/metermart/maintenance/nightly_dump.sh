#!/bin/bash
# Dump of the warehouse, taken on the standby.
set -euo pipefail

TARGET=/backup/metermart/$(date +%F)
JOBS=4

mkdir -p "$(dirname "$TARGET")"
pg_dump --format=directory --jobs="$JOBS" --no-unlogged-table-data \
    --no-synchronized-snapshots \
    --file="$TARGET" metermart
pg_dump --no-sync --no-comments --schema-only --format=custom --file="$TARGET.schema" metermart

find /backup/metermart -maxdepth 1 -mtime +21 -exec rm -rf {} +
