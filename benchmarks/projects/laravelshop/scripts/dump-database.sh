#!/usr/bin/env bash
set -euo pipefail

: "${DB_HOST:=localhost}" "${DB_DATABASE:=shop}" "${BACKUP_DIR:=/backups}"
export PGHOST=$DB_HOST PGDATABASE=$DB_DATABASE

if [ "$(psql -Atc 'SELECT pg_is_in_recovery()')" = t ]; then
    echo "standby: pg_is_in_backup() is only asked on the primary" >&2
    exit 0
fi

if [ "$(psql -Atc 'SELECT pg_is_in_backup()')" = t ]; then
    echo "a base backup is running, no dump today" >&2
    exit 0
fi

pg_dump --format=custom --file="$BACKUP_DIR/shop-$(date +%F).dump"
find "$BACKUP_DIR" -name 'shop-*.dump' -mtime +7 -delete
