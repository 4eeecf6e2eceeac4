#!/bin/bash
# Load on the test system before a release: eight weighbridges at once.
set -euo pipefail
cd "$(dirname "$0")/.."
DB=${DB:-quarry}
SECONDS_TO_RUN=${1:-60}

psql -X -d "$DB" -c "SELECT count(*) FROM deliveries"
# warm up, pgbench -d is too chatty with all clients
pgbench -n -c 1 -t 5 --debug --file=loadtest/weigh.sql "$DB"
pgbench -d -n -c 2 -t 20 --file=loadtest/weigh.sql "$DB"
pgbench -n -c 8 -j 2 -T "$SECONDS_TO_RUN" -P 10 --file=loadtest/weigh.sql "$DB"
