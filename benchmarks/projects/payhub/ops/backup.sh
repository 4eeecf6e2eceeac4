#!/usr/bin/env bash
# nightly: logical dump of the primary, kept for two weeks
set -euo pipefail

export PGHOST=${PGHOST:-/var/run/postgresql}
TARGET=/srv/backup/payhub
STAMP=$(date +%Y%m%d)

mkdir -p "$TARGET"

# the pooler gives each job another backend
pg_dump --format=directory --jobs=4 \
    --no-synchronized-snapshots \
    --file="$TARGET/$STAMP" payhub

# the small reference tables again, as SQL, for the staging system
pg_dump --no-sync --data-only --table=merchants --file="$TARGET/merchants-$STAMP.sql" payhub

psql -d payhub -v ON_ERROR_STOP=1 -c "UPDATE backup_runs SET ended_at = now() WHERE ended_at IS NULL"

find "$TARGET" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
