#!/usr/bin/env bash
set -euo pipefail

STAMP=$(date +%Y%m%d)
TARGET=/srv/backups/workshop-$STAMP

pg_dump --format=directory --jobs=4 --no-synchronized-snapshots \
    --file="$TARGET" workshop_production

pg_restore --list "$TARGET" | grep -c 'TABLE DATA' > "$TARGET.count"
find /srv/backups -maxdepth 1 -name 'workshop-*' -mtime +14 -exec rm -rf {} +
