#!/bin/bash
# Sunday: rebuilds what grows, and keeps a dump of the week.
set -euo pipefail

: "${PGDATABASE:=parcelhub}"
export PGDATABASE
TARGET=${1:-/var/backups/parcelhub}

reindexdb --table=parcels --table=webhook_deliveries
psql -X -v ON_ERROR_STOP=1 -c "REINDEX INDEX customers_email_idx"
pg_dump --format=custom --file="$TARGET/parcelhub-$(date +%G-%V).dump"
find "$TARGET" -name 'parcelhub-*.dump' -mtime +60 -delete

# a clean stop leaves no postmaster.pid
if [ -e "${PGDATA:-/var/lib/parcelhub/data}/postmaster.pid" ]; then
    echo "the server is running"
fi
