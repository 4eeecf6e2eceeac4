#!/bin/sh
set -eu

: "${DATABASE_URL:?}"
target=/backup/courier/$(date +%Y-%m-%d)
mkdir -p "$target"

psql "$DATABASE_URL" -Atc "SELECT pg_start_backup('courier-nightly', true)"
rsync -a --delete --exclude pg_wal --exclude postmaster.pid /srv/postgres/data/ "$target/"
psql "$DATABASE_URL" -Atc "SELECT pg_walfile_name(pg_current_wal_lsn())" > "$target/LABEL"
