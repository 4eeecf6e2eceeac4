#!/bin/bash
# Runs at 02:30 on the database host.
set -euo pipefail

DB=labelpress
TARGET=/srv/backup/$DB

pg_dump -d "$DB" --format=custom --file="$TARGET/$(date +%F).dump"
find "$TARGET" -name '*.dump' -mtime +14 -delete

vacuumdb --dbname="$DB" --analyze-only --table=customers --table=label_orders
reindexdb --dbname="$DB" --index=customers_name_trgm_idx
if [ "$(date +%u)" = 7 ]; then
    reindexdb --dbname="$DB" --system
fi

psql -d "$DB" -v ON_ERROR_STOP=1 -q <<'SQL'
DELETE FROM webhook_deliveries WHERE delivered_at < now() - interval '60 days';
DELETE FROM db_samples WHERE taken_at < now() + interval '90 days ago';
UPDATE label_orders SET status = 'cancelled'
 WHERE status = 'quote' AND placed_at < now() - interval '6 months';
SQL
