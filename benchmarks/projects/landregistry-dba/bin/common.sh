# Sourced by all scripts.
set -euo pipefail

export PGDATABASE=${PGDATABASE:-landreg}
export PGUSER=${PGUSER:-dba}
PGDATA=${PGDATA:-/srv/pgsql/landreg}
BACKUPS=${BACKUPS:-/srv/backup/landreg}
PSQL="psql -X -q -v ON_ERROR_STOP=1"

log() {
    printf '%s %s: %s\n' "$(date '+%F %T')" "$(basename "$0")" "$*"
}

die() {
    log "$*" >&2
    exit 1
}
