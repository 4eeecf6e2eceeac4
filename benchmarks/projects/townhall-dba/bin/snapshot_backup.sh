#!/bin/bash
# Snapshot of the volume, for the offsite copy. The archive has the WAL.
set -eu
. "$(dirname "$0")/lib.sh"

psql -X -d "$DB" -Atc "SELECT pg_start_backup('offsite', true)" > /dev/null
lvcreate --snapshot --size 20G --name townhall_snap /dev/vg0/townhall
psql -X -d "$DB" -Atc "SELECT pg_stop_backup()" > /dev/null

mount -o ro /dev/vg0/townhall_snap /mnt/snap
tar -C /mnt/snap -cf "$BACKUPS/offsite/townhall.tar" .
umount /mnt/snap
lvremove -f /dev/vg0/townhall_snap

# segments that the archive has, for the protocol of the offsite copy
psql -X -d "$DB" -At <<'SQL' >> "$BACKUPS/offsite/protocol.txt"
SELECT last_archived_wal
  FROM pg_stat_archiver;
SQL
log "offsite copy done"
