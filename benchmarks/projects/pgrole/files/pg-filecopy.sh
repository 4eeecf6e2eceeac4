#!/bin/bash
# Copies the data directory while the server runs
set -euo pipefail
PGDATA=$(psql -XAtc 'SHOW data_directory')
dest=/backup/filecopy/$(date +%F)

if [ "$(psql -XAtc 'SELECT pg_is_in_backup()')" = t ]; then
    echo "pg_start_backup() is active, giving up" >&2
    exit 1
fi
mkdir -p "$dest"
pg_basebackup --wal-method=stream --checkpoint=fast --pgdata="$dest/base"
cp "$PGDATA/PG_VERSION" "$dest/"
