#!/bin/bash
# Copies the data directory for the test desk. Runs against db1 and against the lab's newer server.
set -euo pipefail
version=$(psql -XAtd postgres -c "SHOW server_version_num")

if [ "$version" -lt 150000 ]; then
    psql -X -d postgres -c "SELECT pg_start_backup('clone', true)"
    rsync -a --exclude postmaster.pid "$PGDATA/" /srv/lab/dispatch/
    psql -X -d postgres -c "SELECT pg_stop_backup()"
else
    pg_basebackup -D /srv/lab/dispatch -X stream -c fast
fi
chown -R postgres: /srv/lab/dispatch
