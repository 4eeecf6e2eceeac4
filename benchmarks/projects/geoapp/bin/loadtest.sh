#!/bin/sh
# load of the map: tiles first, then the search field; numbers go to the wiki
set -eu

DB=${DB_DATABASE:-geo}
SECONDS_EACH=${1:-60}
CLIENTS=8

cat > /tmp/tile.bench <<'BENCH'
\set x random(1, 90)
SELECT place_id, name FROM geo.place WHERE position <@ box(point(:x, 0), point(:x + 1, 1));
BENCH

pgbench --no-vacuum -c "$CLIENTS" -j 2 -T "$SECONDS_EACH" -f /tmp/tile.bench "$DB"

# once more, with the protocol of each client on stderr
pgbench -n -d -c 1 -t 20 -f /tmp/tile.bench "$DB" 2> /tmp/tile.trace
grep -c 'client 0 sending' /tmp/tile.trace || true
