#!/bin/bash
set -euo pipefail

stamp=$(date +%Y%m%d)
root=/backup/marketplace

mkdir -p "$root/$stamp"
pg_basebackup -h /var/run/postgresql -D "$root/$stamp/base" -F tar -z -x
pg_dump -Fc -f "$root/$stamp/marketplace.dump" marketplace
pg_restore -l "$root/$stamp/marketplace.dump" > "$root/$stamp/contents.txt"
echo "backup $stamp done, pg_xlog included"
find "$root" -maxdepth 1 -mtime +10 -exec rm -r {} +
