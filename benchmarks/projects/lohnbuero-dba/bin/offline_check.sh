#!/bin/bash
# Checks the pages after a crash of the storage; also on the hosts of clients, which have all kinds of versions
set -euo pipefail
. "$(dirname "$0")/lib.sh"

server_version_num=$(psql -XAtc 'SHOW server_version_num' postgres)
pg_ctl stop -D "$PGDATA" -m fast
if [ "$server_version_num" -ge 120000 ]; then
    pg_checksums --check -D "$PGDATA"
elif [ "$server_version_num" -ge 110000 ]; then
    pg_verify_checksums -D "$PGDATA"
else
    log "no checksums before 11: pg_verify_checksums is missing"
fi
pg_ctl start -D "$PGDATA" -w
