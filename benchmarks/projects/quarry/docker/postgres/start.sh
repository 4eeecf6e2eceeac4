#!/bin/bash
# Starts the database server in the container; the volume has been filled by the restore.
set -euo pipefail

PROMOTE_TRIGGER_FILE=${PROMOTE_TRIGGER_FILE:-/run/quarry/promote}
export PROMOTE_TRIGGER_FILE

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    echo "no cluster in $PGDATA: restore a base backup first" >&2
    exit 1
fi

# left behind after a crash of the host
rm -f "$PGDATA/postmaster.pid"
chown -R postgres "$PGDATA"

if [ "${1:-}" = single ]; then
    exec gosu postgres postgres --single -D "$PGDATA" quarry
fi
exec gosu postgres postmaster -D "$PGDATA" -c config_file=/etc/postgresql/postgresql.conf
