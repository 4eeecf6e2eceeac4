#!/bin/bash
set -euo pipefail
target=/srv/backup/dump/packhouse-$(date +%Y%m%d).dump

pg_dump -Fc -Z 6 --no-owner --serializable-deferrable -f "$target" packhouse
pg_restore --list "$target" > /dev/null
find /srv/backup/dump -name '*.dump' -mtime +21 -delete
