#!/bin/bash
# Base backup, weekly.
set -euo pipefail
target=/srv/backup/ledger/$(date +%F)
mkdir -p "$target"
pg_basebackup -D "$target" -F tar -z -X fetch -c fast
find /srv/backup/ledger -maxdepth 1 -mtime +60 -exec rm -r {} +
