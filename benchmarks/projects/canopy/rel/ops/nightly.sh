#!/bin/sh
# nightly work on the database host, after the backup
set -eu

db=${PGDATABASE:-canopy}
data=${PGDATA:-/var/lib/postgresql/data}

if [ ! -f "$data/postmaster.pid" ]; then
    echo "no server here; on a standby there is nothing to do (postmaster not running)"
    exit 0
fi

psql -X -d "$db" -c 'REFRESH MATERIALIZED VIEW CONCURRENTLY public.street_totals'
psql -X -d "$db" -c 'VACUUM (ANALYZE) public.visits'
psql -X -d "$db" -c 'ANALYZE public.crews'
