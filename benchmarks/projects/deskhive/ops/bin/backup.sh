#!/usr/bin/env bash
# Nightly logical backup of deskhive, from the standby. Restored weekly into staging.
set -euo pipefail

: "${PGHOST:=db-standby.internal}"
: "${PGUSER:=backup}"
export PGHOST PGUSER
target=/backup/deskhive/$(date +%Y-%m-%d)

log() { echo "$(date -Is) $*" >&2; }

if [ -d "$target" ]; then
  log "$target exists: is pg_start_backup or another dump still running?"
  exit 1
fi

# The standby has no tables that change, so the four jobs see the same rows.
pg_dump --format=directory --jobs=4 --no-synchronized-snapshots \
  --exclude-table-data='access_events_*' --file="$target" deskhive

# Doors: the last year only, as text that the archive's loader takes.
psql -X -q -d deskhive -v ON_ERROR_STOP=1 \
  -c "\\copy (SELECT * FROM access_events WHERE happened_at > now() - interval '1 year') TO '$target/doors.csv' WITH (FORMAT csv, HEADER)"

# --no-sync would be faster, but the volume is mounted by NFS
pg_dumpall --globals-only --no-role-passwords > "$target/globals.sql"

find /backup/deskhive -mindepth 1 -maxdepth 1 -mtime +21 -exec rm -r {} +
log "done: $(du -sh "$target" | cut -f1)"
