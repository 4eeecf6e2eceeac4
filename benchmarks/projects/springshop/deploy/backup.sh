#!/bin/bash
set -euo pipefail

server=$(psql -h "$DB_HOST" -U postgres -Atc 'SHOW server_version_num')
target=/backup/$(date +%F)

if [ "$server" -lt 150000 ]; then
    psql -h "$DB_HOST" -U postgres -c "SELECT pg_start_backup('nightly', true)"
    rsync -a --exclude pg_wal /var/lib/postgresql/data/ "$target/"
    psql -h "$DB_HOST" -U postgres -c "SELECT pg_stop_backup()"
else
    pg_basebackup -h "$DB_HOST" -U postgres -D "$target" -X stream
fi

mysql -h legacy-erp -u reader erp -e "SELECT sku, JSON_VALUE(doc, '$.ean') FROM articles" > "$target/ean.tsv"
find /backup -maxdepth 1 -mtime +14 -exec rm -r {} +
