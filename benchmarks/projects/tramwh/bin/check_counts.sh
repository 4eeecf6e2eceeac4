#!/bin/bash
# Compares the number of loaded rows with that of the export.
set -euo pipefail
day=$1
expected=$(($(wc -l < "/srv/exports/$day/stop_events.csv") - 1))
loaded=$(psql -X -A -t -d warehouse -c "SET statement_timeout = '5min'; SELECT count(*) FROM raw.stop_event WHERE service_date = '$day'")
if [ "$loaded" -ne "$expected" ]; then
    echo "stop events of $day: $loaded loaded, $expected expected" >&2
    exit 1
fi

sales=$(psql -X -A -t -d warehouse -c "SELECT count(*) FROM raw.ticket_sale WHERE sold_on = '$day'")
[ "$sales" -gt 0 ] || echo "no sales on $day" >&2
