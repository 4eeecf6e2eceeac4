#!/bin/bash
set -e
# cat > recovery.conf was in the old script
pg_basebackup -h primary -D "$PGDATA" -x
pg_basebackup -h primary -D "$PGDATA" -X stream
cat > "$PGDATA/recovery.conf" <<EOF
standby_mode = 'on'
primary_conninfo = 'host=primary'
EOF
touch "$PGDATA/standby.signal"
pg_ctl -D "$PGDATA" start
pg_ctl -D "$PGDATA" -w restart
pg_receivexlog -D /archive &
pg_recvlogical --version
rsync -a --exclude pg_xlog "$PGDATA/" backup:/data/
rsync -a --exclude pg_stat_tmp "$PGDATA/" backup:/data/
