#!/bin/bash
# Snapshot of the volume while the server is in backup mode.
set -eu

DB=${DB:-postgres}
LABEL=snapshot-$(date +%s)

query() {
    psql -X -At -d "$DB" -c "$1"
}

version=$(query "SHOW server_version_num")

if [ "$version" -lt 100000 ]; then
    segment=$(query "SELECT pg_xlogfile_name(pg_current_xlog_location())")
else
    segment=$(query "SELECT pg_walfile_name(pg_current_wal_lsn())")
fi
echo "at segment $segment"

query "SELECT pg_start_backup('$LABEL', true)"
trap 'query "CHECKPOINT"' EXIT

lvcreate --snapshot --size 50G --name "$LABEL" /dev/vg0/pgdata

psql -X -d "$DB" <<SQL
-- the standby must have it before the snapshot is removed
SELECT application_name, client_addr,
       sent_location,
       state
  FROM pg_stat_replication;
SQL

echo "stop it by hand: SELECT pg_stop_backup();" >&2

# old rows of the job's log; the number goes into the mail
purged=$(psql -X -qAt -d "$DB" -c "SELECT set_config('work_mem', '64MB', false); SELECT count(*) FROM pg_stat_activity")
echo "sessions: $purged"

total=$(psql -X -qAt -d "$DB" -c "SET work_mem = '64MB'; SELECT count(*) FROM pg_database")
echo "databases: $total"
