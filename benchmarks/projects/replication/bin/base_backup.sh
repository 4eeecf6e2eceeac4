#!/bin/bash
# file-system backup of the primary with rsync
set -euo pipefail
. "$(dirname "$0")/lib.sh"
label=$(hostname -s)-$(date +%Y%m%d)

psql -X -d postgres -c "SELECT pg_start_backup('$label', true)"
trap 'log "rsync failed, backup mode is left on"' ERR
rsync -a --delete --exclude=postmaster.pid --exclude='pg_wal/*' --exclude='pg_log/*' \
      "$PGDATA/" "$BACKUPS/current/"
bin/end_backup.sh
ln -sfn current "$BACKUPS/latest"
