#!/bin/sh
# what a Friday evening needs
set -eu
db=${1:-kitchenloop}
psql -X -d "$db" -c "SELECT count(*) FROM orders"
pgbench -n -d -c 4 -j 2 -t 50 -f scripts/bench_orders.sql "$db"
pgbench -n -D restaurant=2 -c 1 -t 20 -f scripts/bench_orders.sql "$db"
pgbench --no-vacuum --debug -c 1 -t 1 -f scripts/bench_orders.sql "$db"
pg_dump -Fc -d "$db" --schema-only -f /dev/null
