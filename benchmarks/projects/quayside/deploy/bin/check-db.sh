#!/bin/sh
# called by the monitoring agent every minute
set -eu
export PGDATABASE=quayside PGUSER=monitor

busy=$(psql -Atc "SELECT pg_is_in_backup()")
if [ "$busy" = t ]; then
    echo "OK backup is running"
    exit 0
fi

# pg_is_in_backup alone says nothing about a standby
psql -At <<SQL
SELECT pg_is_in_recovery();
SELECT count(*) FROM pg_stat_replication;
SQL
