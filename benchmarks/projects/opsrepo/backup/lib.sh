# shellcheck shell=bash
# what backup, restore and verify share

: "${BACKUP_ROOT:=/srv/backup}"
: "${PGHOST:=/run/postgresql}"
: "${PGUSER:=postgres}"
export PGHOST PGUSER

log() { printf '%s %s\n' "$(date '+%F %T')" "$*"; }
die() { log "$*" >&2; exit 1; }

ask() { psql -XAt -v ON_ERROR_STOP=1 -d "${2:-postgres}" -c "$1"; }

server_version() { psql -XAtc "SHOW server_version_num" -d postgres; }
