#!/bin/bash
# bk-restore.sh TIME [DIRECTORY]: recovers the cluster to a point in time
set -euo pipefail
. "$(dirname "$0")/../lib/common.sh"

time=${1:?usage: bk-restore.sh TIME [DIRECTORY]}
directory=${2:-/srv/scratch/main}

backup=$(newest)
[ -n "$backup" ] || die "no base backup in the catalog"

mkdir -p "$directory"
chmod 700 "$directory"
tar -xzf "$backup/base.tar.gz" -C "$directory" --exclude=postmaster.pid
tar -xzf "$backup/pg_wal.tar.gz" -C "$directory/pg_wal"

cat > "$directory/recovery.conf" <<EOF
restore_command = 'cp $ARCHIVE/%f %p'
recovery_target_time = '$time'
recovery_target_timeline = 'current'
EOF

"$PGBIN/pg_ctl" -D "$directory" -o "-p 5499 -c archive_mode=off" -w -t 3600 start

# a summary for the ticket
psql -X -p 5499 -d postgres <<'SQL'
\pset format a
\pset border 2
SELECT datname, pg_size_pretty(pg_database_size(oid)) AS size
  FROM pg_database
 WHERE datallowconn;
SQL

psql -X -p 5499 -d postgres -o "$directory.settings" <<'SQL'
\pset format unaligned
SELECT name, setting FROM pg_settings WHERE source = 'configuration file' ORDER BY name;
SQL
echo "restored to $time; for checksums, stop it and run bk-verify.sh"
