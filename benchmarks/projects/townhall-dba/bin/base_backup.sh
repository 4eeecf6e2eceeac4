#!/bin/bash
# Nightly base backup, kept for two weeks.
set -eu
. "$(dirname "$0")/lib.sh"

target=$BACKUPS/base/$(date +%F)
mkdir -p "$target"

pg_basebackup \
    --host=/var/run/postgresql \
    --username=th_backup \
    --checkpoint=fast \
    -X stream \
    --pgdata="$target"

find "$BACKUPS/base" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
log "base backup $target done"
