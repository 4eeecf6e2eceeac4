# sourced by the other scripts
export PATH=/usr/lib/postgresql/current/bin:$PATH
PGDATA=${PGDATA:-/srv/pg/townhall}
BACKUPS=/srv/backups
DB=townhall

log() {
    echo "$(date '+%F %T') $*" >> /var/log/townhall-dba.log
}

die() {
    log "ERROR: $*"
    exit 1
}

major() {
    cut -d. -f1 "$PGDATA/PG_VERSION"
}
