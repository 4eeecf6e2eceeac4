#!/bin/bash
# Builds the standby anew from the primary.
set -eu
. "$(dirname "$0")/lib.sh"

primary=db1.townhall.example
version=$(major)

pg_ctl -D "$PGDATA" -m fast -w stop || true
rm -rf "${PGDATA:?}"/*
pg_basebackup -h "$primary" -U th_backup -D "$PGDATA" -X stream

if [ "$version" -lt 12 ]; then
    cat > "$PGDATA/recovery.conf" <<EOF
standby_mode = 'on'
primary_conninfo = 'host=$primary user=th_backup'
EOF
else
    touch "$PGDATA/standby.signal"
fi

pg_ctl -D "$PGDATA" -w -t 600 start
