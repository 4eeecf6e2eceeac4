#!/bin/bash
# consistent snapshot of the volume
set -euo pipefail

version=$(psql -Atc "SHOW server_version_num")

if [ "$version" -lt 150000 ]; then
    psql -c "SELECT pg_start_backup('snapshot', true)"
    lvcreate --snapshot --name pgsnap --size 20G /dev/vg0/pgdata
    psql -c "SELECT pg_stop_backup()"
else
    psql <<'SQL'
SELECT pg_backup_start('snapshot', fast => true);
\! lvcreate --snapshot --name pgsnap --size 20G /dev/vg0/pgdata
SELECT labelfile FROM pg_backup_stop();
SQL
fi
