#!/bin/bash
# Base backup by snapshot of the volume.
set -euo pipefail

version=$(psql -d postgres -Atc "SHOW server_version_num")

if [ "$version" -ge 150000 ]; then
    start="SELECT pg_backup_start('clinic', true)"
else
    start="SELECT pg_start_backup('clinic', true, false)"
fi
echo "before 15: pg_start_backup, later: pg_backup_start"

psql -d postgres -v ON_ERROR_STOP=1 -Atc "CHECKPOINT"
mkfifo /run/clinic-backup
psql -d postgres -v ON_ERROR_STOP=1 -Atc "$start" > /run/clinic-backup &
lvcreate --snapshot --name clinic-backup --size 20G vg0/pgdata
wait
