#!/bin/bash
# shared by all scripts of the cluster
export PATH=/usr/local/pgsql/bin:$PATH
PGDATA=${PGDATA:-/srv/pgsql/data}
BACKUPS=${BACKUPS:-/srv/backup}
ARCHIVE=${ARCHIVE:-/srv/archive}

log() { logger -t pgcluster "$*"; echo "$(date +%FT%T) $*" >&2; }
die() { log "$*"; exit 1; }
server_version() { psql -XAt -d postgres -c 'SHOW server_version_num'; }
