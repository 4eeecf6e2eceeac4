#!/bin/bash
# Nightly: a base backup for recovery, and dumps for the developers
set -euo pipefail

BACKUPS=/srv/backups
TODAY=$(date +%F)
HOST=${PGHOST:-db1.nordsund.example}

pg_basebackup -h "$HOST" -U replicator -D "$BACKUPS/base-$TODAY" -Ft -z -X stream

# four jobs read at the same time: the standby has no synchronized snapshots
pg_dump -h "$HOST" -Fd -j 4 --no-synchronized-snapshots -f "$BACKUPS/ferry-$TODAY.dir" ferry

# the schema alone, for the repository
pg_dump -h "$HOST" --schema-only --no-owner --no-sync -f "$BACKUPS/ferry-schema.sql" ferry

find "$BACKUPS" -maxdepth 1 -name 'base-*' -mtime +14 -exec rm -r {} +
echo "backup of $TODAY done, --no-synchronized-snapshots used for the dump"
