#!/usr/bin/env bash
# Nightly base backup of db1; pg_start_backup and rsync went away with the move to pg_basebackup.
set -euo pipefail

TARGET=${1:-/srv/backup}
TODAY=$(date +%F)

mkdir -p "$TARGET/$TODAY"
pg_basebackup -h db1 -U replicator -D "$TARGET/$TODAY" -X stream --checkpoint=fast --compress=5 -Ft
find "$TARGET" -maxdepth 1 -mtime +14 -exec rm -rf {} +
