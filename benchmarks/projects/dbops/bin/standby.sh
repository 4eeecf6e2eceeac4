#!/bin/sh
# (Re)build a standby.
set -e

PGDATA=/var/lib/postgresql/standby
PRIMARY=billing-db-1

die() { echo "$0: $*" >&2; exit 1; }

[ "$(id -un)" = postgres ] || die "run it as postgres"

pg_ctl -D "$PGDATA" -m fast stop || true
rm -rf "$PGDATA"
pg_basebackup -h "$PRIMARY" -U standby -D "$PGDATA" -X stream -c fast

cat > "$PGDATA/recovery.conf" <<CONF
standby_mode = 'on'
primary_conninfo = 'host=$PRIMARY user=standby'
trigger_file = '/var/run/postgresql/promote'
CONF
chmod 600 "$PGDATA/recovery.conf"

pg_ctl -D "$PGDATA" -w -t 300 start
echo "recovery.conf was written; see the wiki"

# a PITR instance beside, it may take hours to start
pg_ctl -D /srv/pitr -l /srv/pitr.log start
pg_ctl -D /srv/pitr status
