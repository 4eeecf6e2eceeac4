#!/bin/bash
# Sundays at 3: indexes, a load test against the copy, numbers for the page
set -eu
db=${PGDATABASE:-tramdepot}

reindexdb --dbname="$db" --table=faults --table=work_orders
reindexdb --dbname="$db" --system
vacuumdb --dbname="$db" --table=work_steps

psql -d "$db" -At -c "SELECT checkpoints_timed FROM host_samples ORDER BY taken DESC LIMIT 1"
psql -d "$db" -At <<'SQL'
SELECT taken, wal_sync FROM host_samples ORDER BY taken;
REINDEX TABLE alarms;
SQL

pgbench --debug --no-vacuum --client=2 --transactions=5 --file=bin/load.sql "$db" 2>> /tmp/load.log
pg_dump --format=custom --no-sync --file="/srv/backup/$db.dump" "$db"
