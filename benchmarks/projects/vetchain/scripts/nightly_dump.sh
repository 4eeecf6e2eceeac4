#!/bin/bash
# Nightly logical dump, kept for 14 days.
set -euo pipefail

TARGET=/srv/backup/dumps
TODAY=$(date +%F)

pg_dump -h db -U vetchain -Fc -Z 6 -f "$TARGET/vetchain-$TODAY.dump" vetchain
pg_dumpall -h db -U postgres --roles-only -f "$TARGET/roles-$TODAY.sql"

# A dump that can't be listed is no dump.
pg_restore -l "$TARGET/vetchain-$TODAY.dump" > /dev/null

find "$TARGET" -name '*.dump' -mtime +14 -delete
