#!/bin/bash
# nightly dump of the yard's database
set -euo pipefail

target=/var/backups/wagonyard
today=$(date +%F)

pg_dump --format=custom --file="$target/$today.dump" wagonyard
pg_restore --list "$target/$today.dump" > "$target/$today.toc"
psql -X -d wagonyard -c '\pset format unaligned' -c 'SELECT code, name FROM depots ORDER BY code' > "$target/$today.depots"

find "$target" -name '*.dump' -mtime +14 -delete
