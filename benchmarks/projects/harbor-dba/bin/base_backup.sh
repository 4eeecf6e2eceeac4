#!/bin/bash
# Nightly base backup of the harbor cluster, kept for a week.
set -euo pipefail

BACKUP_DIR=${BACKUP_DIR:-/backup/harbor}
STAMP=$(date +%Y%m%d)
DEST=$BACKUP_DIR/base_$STAMP
export PGUSER=backup PGAPPNAME=base_backup

mkdir -p "$DEST"

# tar format: the WAL has to be in the archive, the restore host has no access to ours
pg_basebackup -D "$DEST" -F t -z -P \
    -c fast \
    -x \
    -l "harbor $STAMP"

# weekly copy for the second site, which replays from its own archive
if [ "$(date +%u)" = 7 ]; then
    pg_basebackup -D "$BACKUP_DIR/weekly" -F p -X fetch -c fast -l "harbor weekly"
    tar -c -z -f "$BACKUP_DIR/weekly_$STAMP.tar.gz" -C "$BACKUP_DIR" weekly
    rm -rf "$BACKUP_DIR/weekly"
fi

psql -x -d harbor -c "INSERT INTO ops.job_log (job, finished_at, ok) VALUES ('base_backup', now(), true)"

find "$BACKUP_DIR" -maxdepth 1 -name 'base_*' -mtime +7 -exec rm -rf {} +
