#!/bin/bash
# By hand, on the standby, when it has fallen behind too far (wal_keep_segments too small).
set -euo pipefail

PGDATA=/var/lib/postgresql/weather
PRIMARY=met-db1

systemctl stop weather-db
rm -rf "${PGDATA:?}"/*
pg_basebackup --host="$PRIMARY" --username=replicator --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast

printf "standby_mode = on\nprimary_conninfo = 'host=%s user=replicator'\n" "$PRIMARY" > "$PGDATA/recovery.conf"
systemctl start weather-db
