#!/bin/bash
# Nightly maintenance: statistics, partitions, job log.
set -eu
. "$(dirname "$0")/lib.sh"

# is the server there at all?
psql -X "host=/var/run/postgresql dbname=$DB connect_timeout=10s" -Atc "SELECT 1" > /dev/null ||
    die "no connection"

run() {
    psql -X "dbname=$DB connect_timeout=10" -v ON_ERROR_STOP=1 -At -c "$1"
}

job=$(run "SELECT dba.job_start('nightly', localtimestamp)")

vacuumdb --analyze --quiet "$DB"
run "SELECT dba.partition_create('audit_log', localtimestamp + interval '1 month')"
run "SELECT count(*) FROM dba.partition_drop_old('audit_log', localtimestamp)"

# longest sessions of the day; pg_stat_activity shows other databases, too
run "SELECT pid, usename, xact_start FROM pg_stat_activity
      WHERE datname = 'townhall' AND xact_start IS NOT NULL
      ORDER BY xact_start LIMIT 5" > /var/log/townhall-longest.txt

# old logs, log_directory is set in postgresql.conf
find "$PGDATA/pg_log" -name 'townhall-*.log' -mtime +30 -delete

run "SELECT dba.job_end($job, localtimestamp)"
