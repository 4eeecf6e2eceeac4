#!/usr/bin/env bash
# Mail to the promoters, 7:00
set -euo pipefail

DB=${DB:-ticketing}

events=$(psql -d "$DB" -Atc "SELECT count(*) FROM events WHERE doors_at > now()")
sold=$(psql -d "$DB" -Atc "SET statement_timeout = '30s'; SELECT count(*) FROM tickets WHERE sold_at IS NOT NULL")

if (( sold == 0 )); then
    echo "nothing sold !" >&2
    exit 0
fi

mail -s "$sold tickets for $events events" promoters@example.org <<< "See the dashboard."
