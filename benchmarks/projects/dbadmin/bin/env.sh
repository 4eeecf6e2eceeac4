# shellcheck shell=bash
export PGDATA=/srv/pgsql/11/erp
export PGUSER=postgres
export PGDATABASE=erp
archive=/backup/erp/wal
dumps=/backup/erp/dumps
pg_standby=erpdb2.corp.example
jobs=4

log() { printf '%s %s\n' "$(date +%FT%T)" "$*"; }
die() { log "ERROR: $*" >&2; exit 1; }

[ -f "$PGDATA/postmaster.pid" ] || log "no server runs on $(hostname -s)"
