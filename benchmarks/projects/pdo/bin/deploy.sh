#!/bin/bash
set -e
die() { echo "$*" >&2; exit 1; }
[ -d "$PGDATA/pg_wal" ] || die "still pg_xlog? upgrade first"
cp recovery.done "$PGDATA/recovery.conf"
createuser --encrypted deploy
createuser --no-superuser deploy2
pg_basebackup --xlog-method=stream -D /b
psql -c "ALTER ROLE deploy WITH ENCRYPTED PASSWORD 'x'"
pg_ctl stop -D "$PGDATA" -m fast
