#!/bin/bash
# usage: pitr_restore.sh BACKUP_DAY TIME
# Restores a base backup to a point in time, beside the production cluster.
set -eu
. "$(dirname "$0")/lib.sh"

day=$1
time=$2
restored=/srv/pg/restored

[ -d "$BACKUPS/base/$day" ] || die "no base backup of $day"

rm -rf "$restored"
cp -a "$BACKUPS/base/$day" "$restored"
chmod 700 "$restored"

cat > "$restored/recovery.conf" <<EOF
restore_command = 'cp /srv/wal/%f "%p"'
recovery_target_time = '$time'
recovery_target_timeline = 'latest'
EOF

pg_ctl -D "$restored" -o "-p 5499 -c archive_mode=off" -w -t 3600 start
log "restored $day up to $time on port 5499"
echo "check the data, then: pg_ctl -D $restored stop (recovery.conf stays for the records)"
