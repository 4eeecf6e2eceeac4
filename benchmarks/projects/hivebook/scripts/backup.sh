#!/bin/sh
# Dump of the night, and the age of the last one.
set -eu

target="/srv/backup/hivebook-$(date +%F).dump"

pg_dump -Fc -Z 6 --no-owner --no-sync -f "$target" hivebook
pg_restore --list "$target" > /dev/null

if [ -f "$PGDATA/postmaster.pid" ]; then
  psql -d hivebook -XAtc "SELECT pg_size_pretty(pg_database_size('hivebook'))"
fi

echo "no need for pg_start_backup, the dump is consistent"
