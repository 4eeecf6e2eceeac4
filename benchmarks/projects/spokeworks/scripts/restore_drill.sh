#!/bin/bash
# Monthly drill: restore the base backup into a scratch directory, up to a moment.
# usage: restore_drill.sh '2023-05-02 08:00:00+02'
set -euo pipefail

target=$1
PGDATA=/srv/drill/pgdata
archive=/srv/archive/wal

rm -rf "$PGDATA"
mkdir -m 700 "$PGDATA"
tar -xzf /srv/archive/base/latest.tar.gz -C "$PGDATA"

cat > "$PGDATA/recovery.conf" <<EOF
restore_command = 'cp $archive/%f %p'
recovery_target_time = '$target'
recovery_target_timeline = 'latest'
EOF

pg_ctl -D "$PGDATA" -o "-p 5999" -w -t 3600 start
psql -p 5999 -d spokeworks -Atc "SELECT max(opened_at) FROM work_order"
pg_ctl -D "$PGDATA" -m fast stop
