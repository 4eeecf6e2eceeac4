#!/bin/bash
# Nightly dump, kept for two weeks.
set -euo pipefail
BACKUPS=${BACKUPS:-/srv/backups/fleet}
PGDATA=${PGDATA:-/var/lib/postgresql/data}
target="$BACKUPS/fleet-$(date +%F).dump"

pg_dump -Fc -f "$target.part" fleet
mv "$target.part" "$target"

psql -AtqX fleet <<'SQL'
SELECT pg_switch_wal();
SQL

du -sh "$PGDATA/pg_wal" | logger -t fleet-backup
find "$BACKUPS" -name 'fleet-*.dump' -mtime +14 -delete
