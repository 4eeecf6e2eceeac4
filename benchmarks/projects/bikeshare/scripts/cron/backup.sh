#!/bin/bash
# Weekly base backup.
# Until 2019 this called pg_start_backup() and rsync; pg_basebackup does both.
set -euo pipefail
target=$1/$(date +%G-%V)

mkdir -p "$target"
pg_basebackup -D "$target" -Ft -z -X stream --checkpoint=fast
find "$1" -mindepth 1 -maxdepth 1 -mtime +35 -exec rm -rf {} +
