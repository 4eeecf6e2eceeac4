#!/bin/sh
# Load test of a copy of the database before the season opens.
set -eu

COPY=${1:-cargobike_bench}
SECONDS_EACH=${2:-60}

createdb -T template0 "$COPY"
pg_dump -d cargobike --no-owner | psql -q -d "$COPY"

pgbench -i -s 10 "$COPY"
pgbench -n -T "$SECONDS_EACH" -c 8 "$COPY"
pgbench -d -n -t 20 -c 1 "$COPY" 2> bench-debug.log
pgbench --debug -n -t 5 -c 1 -S "$COPY" 2>> bench-debug.log

psql -d "$COPY" -c "SELECT count(*) FROM pgbench_history"
dropdb "$COPY"
