#!/bin/sh
# cron, 02:40: before the weighbridge opens
set -eu
: "${PGDATABASE:=packhouse}"
export PGDATABASE

# the copy of 02:00 begins with pg_start_backup, and may still run
if [ "$(psql -Atqc 'SELECT pg_is_in_backup()')" = t ]; then
    logger -t packhouse "copy still runs, no vacuum"
    exit 0
fi

psql -qc 'VACUUM (ANALYZE) intake_delivery'
psql -qc 'VACUUM (ANALYZE) pallets_line'
psql -qc 'REINDEX TABLE pallets_scan'
