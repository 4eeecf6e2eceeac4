#!/bin/bash
set -euo pipefail
target=${1:?target directory}

psql -d lab -qAt -c "SELECT pg_start_backup('nightly', true)"
trap 'psql -d lab -qAt -c "SELECT pg_stop_backup()"' EXIT
rsync -a --delete --exclude pg_wal "$PGDATA/" "$target/"
echo "wal_keep_segments decides how long $target can catch up"
