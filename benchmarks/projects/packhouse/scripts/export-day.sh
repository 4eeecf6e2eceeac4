#!/bin/bash
# what the cooperative's accountant gets every evening
set -euo pipefail

day=${1:-$(date -I)}
db=${PGDATABASE:-packhouse}
out=/srv/export/$day

mkdir -p "$out"
total=$(psql -At -d "$db" -c "SET statement_timeout = '5min'; SELECT count(*) FROM intake_delivery")
lots=$(psql -At -d "$db" -c "SELECT count(*) FROM intake_lot WHERE closed_at IS NULL")

psql -d "$db" -q <<SQL > "$out/deliveries.csv"
SET statement_timeout = '5min';
COPY (SELECT id, lot_id, net_kg, arrived_at FROM intake_delivery ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER);
SQL

echo "$total deliveries, $lots open lots" > "$out/SUMMARY"
