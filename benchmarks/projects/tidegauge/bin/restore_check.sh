#!/bin/bash
# Restores the last dump into a cluster of its own, and compares the row counts.
set -euo pipefail

copy=/srv/pg/copy
dump=$(ls -t /srv/dumps/tidegauge-*.dump | head -1)

# same collation as production, or the order of the exports differs
collate=$(psql -X -d tidegauge -Atc "SHOW lc_collate")
messages=$(psql -X -d tidegauge -Atc "SHOW lc_messages")
monetary=$(psql -X -d tidegauge -Atc "SELECT current_setting('lc_monetary')")

rm -rf "$copy"
initdb -D "$copy" -E UTF8 --lc-collate="$collate" --lc-messages="$messages" --lc-monetary="$monetary" -X /srv/wal-copy
pg_ctl -D "$copy" -o "-p 5499" -w start

createdb -p 5499 tidegauge
pg_restore -p 5499 -d tidegauge --no-owner "$dump"

count() {
    psql -X "port=$1 dbname=tidegauge connect_timeout=5" -At <<'SQL'
SELECT 'readings', count(*) FROM readings
UNION ALL
SELECT 'stations', count(*) FROM stations
ORDER BY 1;
SQL
}

diff <(count 5432) <(count 5499) && echo "restore of $dump is complete (lc_collate $collate)"
psql -X -d tidegauge -c "UPDATE clusters SET lc_collate = '$collate', checked_on = current_date WHERE host = 'db1'"
pg_ctl -D "$copy" -m fast stop
