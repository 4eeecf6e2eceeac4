#!/bin/bash
# Nightly copy of the data directory to the town hall's storage: snapshots of the volume,
# which need the database in backup mode meanwhile.
set -euo pipefail

LABEL="parking-$(date +%F)"
VOLUME=${VOLUME:-/dev/vg0/parking}

psql -X -d parking -v ON_ERROR_STOP=1 <<SQL
SELECT pg_start_backup('$LABEL', true);
SQL

lvcreate --snapshot --size 10G --name "$LABEL" "$VOLUME"

finish() {
    if [ "$(psql -XAtc 'SHOW server_version_num' parking)" -lt 150000 ]; then
        psql -XAt -d parking -c "SELECT pg_stop_backup()"
    fi
}
trap finish EXIT

# The standby gets its own, by streaming.
pg_basebackup -h standby.parking.example -D "/backup/$LABEL" -Ft -z -X stream
