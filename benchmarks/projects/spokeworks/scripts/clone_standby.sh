#!/bin/bash
# Make a new standby of the primary.
set -euo pipefail

primary=${1:?host of the primary}
PGDATA=${PGDATA:-/var/lib/postgresql/data}

pg_basebackup -h "$primary" -U replicator -D "$PGDATA" -X stream
server_version_num=$(psql -h "$primary" -U spokeworks -d spokeworks -Atc "SHOW server_version_num")

if [ "$server_version_num" -lt 120000 ]; then
    cat > "$PGDATA/recovery.conf" <<EOF
standby_mode = 'on'
primary_conninfo = 'host=$primary user=replicator'
EOF
else
    touch "$PGDATA/standby.signal"
    echo "primary_conninfo = 'host=$primary user=replicator'" >> "$PGDATA/postgresql.auto.conf"
fi
