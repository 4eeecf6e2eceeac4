#!/bin/bash
# Nightly base backup. Until 2021 this was an exclusive backup with pg_start_backup() and rsync.
set -euo pipefail

: "${PGHOST:=aarhus-db1}" "${PGDATABASE:=warestock}"
export PGHOST PGDATABASE
target=/backup/$(date +%F)

running=$(psql -XAtc "SELECT pg_is_in_backup()")
if [ "$running" = t ]; then
    logger -t base-backup "another backup is running"
    exit 1
fi

version=$(psql -XAtc "SHOW server_version_num")
if [ "$version" -lt 150000 ]; then
    psql -XAtc "SELECT pg_start_backup('snapshot', true)" >/dev/null
fi
mkdir -p "$target"
pg_basebackup -D "$target" -Ft -z -X fetch --checkpoint=fast
find /backup -maxdepth 1 -mtime +14 -exec rm -rf {} +
