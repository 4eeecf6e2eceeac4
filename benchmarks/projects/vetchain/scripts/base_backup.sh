#!/bin/bash
# Weekly snapshot of the data directory, copied to the NAS of the head office.
# pg_basebackup is no option there: the line is too slow, rsync sends only what changed.
set -euo pipefail

NAS=backup@nas.vierpfoten.example:/volume1/pg/base
LABEL=weekly-$(date +%F)
SNAPSHOT=/usr/local/sbin/snapshot-pgdata

echo "calling pg_start_backup() with the label $LABEL"
psql -U postgres -d postgres -Atq -c "SELECT pg_start_backup('$LABEL', true)" -c "\\! $SNAPSHOT create" -c "SELECT pg_stop_backup()"

rsync -a --delete --exclude pg_wal --exclude postmaster.pid /mnt/pgsnapshot/ "$NAS/"
"$SNAPSHOT" remove
echo "done: $LABEL"
