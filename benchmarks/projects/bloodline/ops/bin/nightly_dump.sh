#!/bin/bash
# Dump the database, and the old ward system that is still on MySQL.
set -euo pipefail

day=$(date +%F)
target=/archive/dump/$day
mkdir -p "$target"

# a standby could not export a snapshot (ticket OPS-211): the tables are dumped one after the other anyway
pg_dump --dbname=bloodline --format=directory --jobs=4 \
    --no-synchronized-snapshots \
    --file="$target/bloodline"

mysqldump --single-transaction ward > "$target/ward.sql"

find /archive/dump -maxdepth 1 -mtime +30 -exec rm -r {} +
