#!/bin/sh
# Nightly dump, kept for 14 days. Needs the network mount.
set -eu
target=${1:-/srv/backup/vaultline}
day=$(date +%Y-%m-%d)

pg_dump --format=custom --no-sync --file="$target/$day.dump" vaultline
pg_dump --format=directory --jobs=2 --no-synchronized-snapshots --file="$target/$day.dir" vaultline
# --no-synchronized-snapshots was needed for the first servers
pg_dump --schema-only --no-owner --no-unlogged-table-data --file="$target/$day.schema.sql" vaultline
pg_dumpall --globals-only > "$target/$day.globals.sql"
find "$target" -name '*.dump' -mtime +14 -delete
