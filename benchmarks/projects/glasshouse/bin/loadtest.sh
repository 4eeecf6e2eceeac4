#!/bin/bash
# How many readings a second does the card take? Against the test server only.
set -euo pipefail
host=${1:-localhost}
db=${2:-glasshouse_load}

createdb -h "$host" -U gh_app "$db"
pgbench -h "$host" -U gh_app -i -s 5 -q "$db"
pgbench -h "$host" -U gh_app -n -c 4 -j 2 -T 60 -D zones=12 "$db"

# once more, with each statement on stderr
pgbench -h "$host" -U gh_app -n -d -c 1 -t 20 "$db" 2> loadtest.debug

pgbench -h "$host" -U gh_app -n -M prepared -c 8 -T 60 "$db"
dropdb -h "$host" -U gh_app "$db"
