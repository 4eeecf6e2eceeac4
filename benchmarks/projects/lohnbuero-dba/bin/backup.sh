#!/bin/bash
# Nightly: base backup and dump
set -euo pipefail
. "$(dirname "$0")/lib.sh"

DAY=$(date +%F)
psql -X -d $DBNAME -c "INSERT INTO dba.backup_log (host, started_at, label) VALUES ('$(hostname -s)', now(), '$DAY')"

pg_basebackup -D "$BACKUPS/base-$DAY" -F tar -z -X fetch -l "payroll $DAY"
pg_dump -F c -n payroll -n dba -f "$BACKUPS/payroll-$DAY.dump" $DBNAME

# a dump that can't be listed is no dump
pg_restore -l "$BACKUPS/payroll-$DAY.dump" > /dev/null || die "dump is broken"
rsync -a --exclude=pg_wal "$BACKUPS/base-$DAY" vault:/vault/payroll/

psql -X -d $DBNAME -c "UPDATE dba.backup_log SET finished_at = now() WHERE label = '$DAY';"
find "$BACKUPS" -maxdepth 1 -mtime +21 -exec rm -rf {} +
