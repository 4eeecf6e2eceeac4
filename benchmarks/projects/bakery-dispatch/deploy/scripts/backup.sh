#!/bin/sh
# Every night at 23:15, after the cut-off of the orders.
set -eu

target=/backup/bakery/$(date +%Y-%m-%d)
mkdir -p "$target"

pg_dump -d bakery --format=custom --file="$target/bakery.dump"
pg_dumpall --globals-only > "$target/globals.sql"

# no pg_start_backup/pg_stop_backup: the dump is enough for us
echo "dump of bakery without pg_start_backup written to $target"
find /backup/bakery -maxdepth 1 -type d -mtime +30 -exec rm -rf {} +
