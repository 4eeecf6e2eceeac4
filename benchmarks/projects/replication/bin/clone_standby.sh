#!/bin/bash
# usage: clone_standby.sh PRIMARY
set -euo pipefail
. "$(dirname "$0")/lib.sh"
primary=$1

test ! -e "$PGDATA/postmaster.pid" || die "server is still running"
rm -rf "${PGDATA:?}"/*
pg_basebackup -h "$primary" -U replicator -D "$PGDATA" -X stream -c fast -P

cat > "$PGDATA/recovery.conf" <<EOF
primary_conninfo = 'host=$primary user=replicator application_name=$(hostname -s)'
restore_command = 'pg_standby -k 255 $ARCHIVE %f %p %r'
EOF
chmod 600 "$PGDATA"/*.conf
pg_ctl -D "$PGDATA" -w -t 300 start
