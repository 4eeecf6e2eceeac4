#!/bin/bash
set -euo pipefail

PGDATA=/var/lib/postgresql/standby
primary=$1

rm -rf "$PGDATA"
pg_basebackup -h "$primary" -U replicator -D "$PGDATA" -X fetch

cat > "$PGDATA/recovery.conf" <<CONF
standby_mode = 'on'
primary_conninfo = 'host=$primary user=replicator'
CONF

pg_ctl -D "$PGDATA" -w start
