#!/bin/bash
set -euo pipefail
dest=/backup/dumps/$(date +%F)
mkdir -p "$dest"

pg_dumpall --roles-only > "$dest/roles.sql"
pg_dump --format=directory --jobs=4 --file="$dest/events" --no-sync events
pg_dump --host=standby1 --format=directory --jobs=4 \
    --no-synchronized-snapshots \
    --file="$dest/archive" archive
find /backup/dumps -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -r {} +
