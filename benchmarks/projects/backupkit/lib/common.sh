# shellcheck shell=bash
# sourced by the programs in bin/

PGBIN=${PGBIN:-/usr/lib/postgresql/bin}
PGDATA=${PGDATA:-/var/lib/postgresql/data}
ARCHIVE=${ARCHIVE:-/srv/archive/main}
SPOOL=${SPOOL:-/srv/backup}

CATALOG="host=catalog1 dbname=bk user=bk_writer connect_timeout=10s"
PRIMARY="host=db1 user=replicator application_name=pg_standby_a connect_timeout=5"

# waits for files that are still on their way, ends when the trigger file appears
WAITING_RESTORE="$PGBIN/pg_standby -k 64 -t /run/backupkit/promote $ARCHIVE %f %p %r"

log() { logger -t backupkit -- "$*"; echo "$*" >&2; }

die() { log "error: $*"; exit 1; }

catalog() { psql -X -At -v ON_ERROR_STOP=1 -d "$CATALOG" "$@"; }

primary() { psql -X -At -v ON_ERROR_STOP=1 -d "$PRIMARY dbname=postgres" "$@"; }

newest() {
    catalog -c "SELECT b.path FROM bk.backup b WHERE b.kind = 'base' AND b.ended IS NOT NULL ORDER BY b.ended DESC LIMIT 1"
}
