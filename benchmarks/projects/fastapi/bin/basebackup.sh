#!/bin/bash
# physical backup of the data directory to the NAS, from cron on the database host
set -euo pipefail

target=/mnt/nas/parcels/$(date +%F)
mkdir -p "$target"
version=$(psql -Atc "SHOW server_version_num")

if [ "$version" -ge 150000 ]; then
    psql -q <<SQL
SELECT pg_backup_start('nas', true);
\! rsync -a --exclude pg_wal "$PGDATA/" "$target/"
SELECT labelfile FROM pg_backup_stop() \g $target/backup_label
SQL
else
    psql -q <<SQL
SELECT pg_start_backup('nas', true, false);
\! rsync -a --exclude pg_wal "$PGDATA/" "$target/"
SELECT labelfile FROM pg_stop_backup(false) \g $target/backup_label
SQL
fi
