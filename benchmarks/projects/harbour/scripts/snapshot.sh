#!/usr/bin/env bash
# Snapshot of the volume; works on the primary and on the new machines.
set -euo pipefail

version=$(psql -X -At -d harbour -c "SHOW server_version_num")

if [ "$version" -ge 150000 ]; then
    psql -X -d harbour <<'SQL'
SELECT pg_backup_start('snapshot', true);
\! lvcreate --snapshot --size 5G --name pgsnap /dev/vg0/pgdata
SELECT pg_backup_stop();
SQL
else
    psql -X -d harbour <<'SQL'
SELECT pg_start_backup('snapshot', true, false);
\! lvcreate --snapshot --size 5G --name pgsnap /dev/vg0/pgdata
SELECT pg_stop_backup(false);
SQL
fi
