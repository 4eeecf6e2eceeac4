#!/bin/bash
# takes the product dimension of last night's archive into the sandbox
set -euo pipefail

archive=${1:-/backup/latest.dump}

psql -qX -h sandbox -d warehouse -c 'TRUNCATE dw.dim_product CASCADE'
pg_restore --data-only --table=dim_product "$archive" | psql -qX -h sandbox -d warehouse
pg_restore --data-only --table=threshold -h sandbox -d warehouse "$archive"
