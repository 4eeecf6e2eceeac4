#!/bin/bash
# Compares the number of rows with yesterday's, and prints what the monitoring reads.
set -euo pipefail

DSN=${METERMART_DSN:-dbname=metermart}
STATE=/var/lib/metermart/row_counts

readings=$(psql -AtX -c "SET statement_timeout = '10min'; SELECT count(*) FROM raw.readings" "$DSN")
messages=$(psql -qAtX -c "SET statement_timeout = '10min'; SELECT count(*) FROM raw.head_end_messages" "$DSN")
rejects=$(psql -AtX -c "SELECT count(*) FROM raw.rejects" "$DSN")

yesterday=$(cat "$STATE" 2>/dev/null || echo 0)
echo "$readings" > "$STATE"

echo "readings=$readings messages=$messages rejects=$rejects grown=$((readings - yesterday))"
