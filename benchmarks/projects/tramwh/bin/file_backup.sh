#!/bin/bash
# Snapshot of the volume, of the warehouse and of the (newer) sandbox server.
# pg_basebackup is too slow for 4 TB. Before 9.6 this called pg_start_backup() over two connections.
set -euo pipefail
host=$1
version=$(psql -X -A -t -h "$host" -d postgres -c "SHOW server_version_num")

if [ "$version" -ge 150000 ]; then
    start="SELECT pg_backup_start('volume', true)"
else
    start="SELECT pg_start_backup('volume', true, false)"
fi
psql -X -h "$host" -d postgres -c "$start" -c "SELECT pg_sleep(1)" > /dev/null
lvcreate --snapshot --name "dwh_$(date +%F)" /dev/vg0/dwh
