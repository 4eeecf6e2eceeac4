#!/bin/bash
# Base backup of the data directory to the vault. Works on the old and the new hosts.
set -euo pipefail

PGDATA=${PGDATA:-/var/lib/postgresql/13/main}
target=/mnt/vault/base/$(date +%F)
server_version_num=$(psql -XAtc "SHOW server_version_num")
pid=$(head -n 1 "$PGDATA/postmaster.pid")

echo "server $server_version_num, pid $pid; if this fails call SELECT pg_stop_backup() by hand"
mkdir -p "$target"

if [ "$server_version_num" -ge 150000 ]; then
    psql -X -v ON_ERROR_STOP=1 <<SQL
SELECT pg_backup_start('nightly', true);
\! tar -C $PGDATA --exclude pg_wal -cf $target/base.tar .
SELECT labelfile FROM pg_backup_stop();
SQL
else
    psql -X -v ON_ERROR_STOP=1 <<SQL
SELECT pg_start_backup('nightly', true, false);
\! tar -C $PGDATA --exclude pg_wal -cf $target/base.tar .
SELECT labelfile FROM pg_stop_backup(false);
SQL
fi
