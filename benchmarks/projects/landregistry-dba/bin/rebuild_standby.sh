#!/bin/bash
# Builds the standby anew. Runs on the standby's host.
. "$(dirname "$0")/common.sh"

primary=${1:?usage: rebuild_standby.sh PRIMARY}
major=$(psql -X -At -h "$primary" -c 'SHOW server_version_num')
pg_ctl -D "$PGDATA" -m fast stop || true
rm -rf "$PGDATA"
pg_basebackup -h "$primary" -D "$PGDATA" -X stream -c fast

if [ "$major" -lt 120000 ]; then
    cat > "$PGDATA/recovery.conf" <<CONF
standby_mode = 'on'
primary_conninfo = 'host=$primary user=replicator application_name=landreg_standby'
CONF
else
    touch "$PGDATA/standby.signal"
fi

pg_ctl -D "$PGDATA" -w start
log "standby follows $primary"
