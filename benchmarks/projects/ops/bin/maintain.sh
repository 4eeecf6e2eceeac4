#!/bin/sh
reindexdb -d shop
reindexdb -d shop -t orders
vacuumdb --all --analyze-in-stages
psql -d shop -c 'REINDEX DATABASE shop'
psql -d shop -c 'REINDEX TABLE orders'
echo "SELECT extract(hour FROM current_date)" | psql -d shop
echo "SELECT date_part('hour', current_date)" | psql -d shop
if [ "$(psql -Atc 'SHOW server_version_num')" -lt 150000 ]; then
    psql -d shop -c "SELECT pg_is_in_backup()"
fi
printf '%s\n' "SHOW lc_collate"
psql -d shop -c "SHOW lc_collate"
