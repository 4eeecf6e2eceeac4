#!/bin/bash
# Weekly maintenance on Sunday, not while a backup runs
set -eu
export PGHOST=localhost PGUSER=postgres PGDATABASE=windpark

if [ "$(psql -Atc 'SELECT pg_is_in_backup()')" = t ]; then
    echo "backup in progress, skipped"
    exit 0
fi

psql -Atc "SELECT park.close_stale_downtimes('30 days')"
reindexdb --table=park.downtime windpark
vacuumdb --analyze --table=park.reading windpark
