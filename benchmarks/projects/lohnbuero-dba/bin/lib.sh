# Common parts, sourced by the other scripts
PGDATA=${PGDATA:-/var/lib/pgsql/data}
BACKUPS=${BACKUPS:-/backup/payroll}
DBNAME=payroll

log() { logger -t payroll-dba "$*"; echo "$(date '+%F %T') $*"; }
die() { log "FAILED: $*"; exit 1; }
