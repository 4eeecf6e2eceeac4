#!/bin/bash
# Base backup every night, logical dump of the registry on Sundays.
. "$(dirname "$0")/common.sh"

today=$(date +%F)
target="$BACKUPS/base/$today"
[ -e "$target" ] && die "$target exists"

log "base backup to $target"
pg_basebackup --pgdata="$target" --format=tar --gzip --wal-method=stream --checkpoint=fast --label="nightly $today"

$PSQL <<SQL
INSERT INTO dba.backup_log (backup_id, label, started_at, ended_at, compression)
SELECT coalesce(max(backup_id), 0) + 1, 'nightly', date_trunc('day', localtimestamp), localtimestamp, 'gzip'
  FROM dba.backup_log;
SQL

if [ "$(date +%u)" = 7 ]; then
    pg_dump --format=custom --schema=registry --schema=dba --file="$BACKUPS/dump/$today.dump"
fi

# keep three weeks
find "$BACKUPS/base" -mindepth 1 -maxdepth 1 -type d -mtime +21 -exec rm -rf {} +
find "$BACKUPS/dump" -name '*.dump' -mtime +90 -delete
log done
