#!/bin/sh
# nightly: backup, indexes, what is left in the outbox
set -eu
: "${PGDATABASE:=ferrydesk}" "${BACKUPS:=/srv/backups}"
export PGDATABASE

day=$(date +%F)
pg_dump -Fd -j 4 --no-sync -f "$BACKUPS/$day.dir"

# the busy ones only
reindexdb --dbname="$PGDATABASE" --table=public.outbox --table=public.reservations

waiting=$(psql -XAtc "SET statement_timeout = '5min'; SELECT count(*) FROM outbox WHERE sent_at IS NULL")
if [ "$waiting" -gt 100 ]; then
    echo "outbox: $waiting messages wait; see SELECT * FROM outbox" | mail -s "ferrydesk: outbox" postmaster@ferrydesk.example
fi

failed=$(psql -XAtc "SELECT count(*) FROM outbox WHERE sent_at IS NULL AND attempts >= 5")
labels=$(psql -XAtc "SELECT string_agg(label, '; ' ORDER BY label) FROM crossings")
late=$(PGOPTIONS='-c statement_timeout=5min' psql -XAtc "SELECT count(*) FROM sailings WHERE departed_at > departs_at")
echo "$day: failed $failed, late $late, crossings: $labels"

psql -Xq <<'SQL'
SET statement_timeout = '20min';
DELETE FROM outbox WHERE sent_at < now() - interval '180 days';
ANALYZE outbox;
SQL
