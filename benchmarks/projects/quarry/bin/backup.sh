#!/bin/bash
# Backup of the database, every night at 22:00.
set -euo pipefail
TARGET=${TARGET:-/backup}
DAY=$(date +%u)

pg_dump -d quarry --format=custom --exclude-table='sensor_values*' --file="$TARGET/quarry-$DAY.dump"
pg_basebackup -D "$TARGET/base-$DAY" --format=tar --gzip --checkpoint=fast --wal-method=fetch
psql -X -d quarry -c "DELETE FROM sensor_buffer WHERE read_at < now() - interval '2 days'"
pg_archivecleanup -d /var/lib/postgresql/archive "$(ls -t /var/lib/postgresql/archive | grep backup | head -1)"
