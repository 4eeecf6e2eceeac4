#!/bin/bash
# Weekly base backup of the claims database
set -eu

TARGET=/backup/claims/base-$(date +%Y%m%d)

if [ -d "$TARGET" ]; then
    echo "$TARGET exists. If the last run broke off, pg_xlog may be incomplete: remove the directory." >&2
    exit 1
fi

pg_basebackup -h localhost -U postgres -X stream -D "$TARGET"

psql -h localhost -U postgres -d claims -Atc "SELECT pg_size_pretty(pg_database_size('claims'))"
