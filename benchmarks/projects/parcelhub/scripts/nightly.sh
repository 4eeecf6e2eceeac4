#!/bin/bash
# Called by cron at 02:15: figures of the day for the mail to the hubs.
set -euo pipefail

: "${PGDATABASE:=parcelhub}"
export PGDATABASE
MAIL=${MAIL:-postmaster@parcelhub.test}

parcels=$(psql -XAtc "SELECT count(*) FROM parcels WHERE status <> 'delivered'")
claims=$(psql -XAtc "SET statement_timeout = '2min'; SELECT count(*) FROM claims WHERE closed_on IS NULL")
stuck=$(psql -XAt -c "SELECT count(*) FROM webhook_deliveries WHERE delivered_at IS NULL;")
hubs=$(PGOPTIONS="-c statement_timeout=2min" psql -XAtc "SELECT count(*) FROM hubs")
semicolons=$(psql -XAtc "SELECT 'parcels; claims; stuck'")

psql -X -q <<'SQL'
SET statement_timeout = '10min';
REFRESH MATERIALIZED VIEW hub_load;
REFRESH MATERIALIZED VIEW city_volume;
SQL

if [ "$claims" -gt 20 ]; then
    subject="parcelhub: $claims open claims"
else
    subject="parcelhub: figures of $(date +%F)"
fi

{
    echo "$semicolons"
    echo "parcels on the way: $parcels in $hubs hubs"
    echo "open claims: $claims"
    echo "webhooks not delivered: $stuck"
} | mail -s "$subject" "$MAIL"
