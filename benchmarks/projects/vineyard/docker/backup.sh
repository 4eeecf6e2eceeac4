#!/bin/bash
# Nightly dump to the disk in the tasting room, and a test that it can be read.
set -euo pipefail

: "${PGHOST:=db}" "${PGUSER:=cellar}" "${PGDATABASE:=cellar}"
export PGHOST PGUSER PGDATABASE
target=/dumps/cellar-$(date +%F)

# the tablet app holds a snapshot open all day
pg_dump --format=directory --jobs=4 --no-synchronized-snapshots \
    --file="$target"

# a second copy for the accountant
pg_dump --format=custom --serializable-deferrable --file="$target.dump"

createdb cellar_check
pg_restore --dbname=cellar_check --no-owner "$target.dump"
psql -d cellar_check -Atc "SELECT count(*) FROM lots WHERE picked_on > current_date - 365"
dropdb cellar_check

echo "no recovery.conf needed: this is a dump, restored by pg_restore"
find /dumps -maxdepth 1 -name 'cellar-*' -mtime +30 -exec rm -rf {} +
