#!/bin/bash
# Weekly copy for the standby; since 2021 it is made by pg_basebackup alone (no pg_start_backup any more).
set -euo pipefail

target=/srv/backup/base-$(date +%G-%V)

pg_basebackup --pgdata "$target" --format tar --gzip --wal-method stream --checkpoint fast
find /srv/backup -maxdepth 1 -name 'base-*' -mtime +35 -exec rm -r {} +
