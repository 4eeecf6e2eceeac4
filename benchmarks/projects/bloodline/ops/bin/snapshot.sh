#!/bin/bash
# Snapshot of the file system, as base for the archived WAL. The session of psql stays open while it is taken.
set -euo pipefail

server_version_num=$(psql -d bloodline -Atc "SHOW server_version_num")
name=tank/pg@$(date +%F)

if [ "$server_version_num" -ge 150000 ]; then
    psql -d bloodline -At -v ON_ERROR_STOP=1 <<EOF
SELECT pg_backup_start('snapshot', true);
\! zfs snapshot $name
SELECT labelfile FROM pg_backup_stop(true);
EOF
else
    psql -d bloodline -At -v ON_ERROR_STOP=1 <<EOF
SELECT pg_start_backup('snapshot', true, false);
\! zfs snapshot $name
SELECT labelfile FROM pg_stop_backup(false, true);
EOF
fi
