#!/bin/bash
# Sets up this host as standby: setup_standby.sh PRIMARY
set -euo pipefail
. "$(dirname "$0")/lib.sh"

PRIMARY=${1:?primary host}
systemctl stop postgresql
rm -rf "${PGDATA:?}"/*

pg_basebackup -h "$PRIMARY" -U standby -D "$PGDATA" -X stream -c fast

# the server looks for this file when it starts
cat > "$PGDATA/recovery.conf" <<EOF
standby_mode = 'on'
primary_conninfo = 'host=$PRIMARY user=standby application_name=$(hostname -s)'
primary_slot_name = '$(hostname -s | tr - _)'
recovery_target_timeline = 'latest'
EOF

chown -R postgres: "$PGDATA"
systemctl start postgresql
log "standby of $PRIMARY is up"
