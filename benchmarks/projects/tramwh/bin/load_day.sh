#!/bin/bash
# Loads the exports of one day.
set -euo pipefail
day=$1
batch=b${day//-/}
cd "/srv/exports/$day"
export PGHOST=dwh-db PGDATABASE=warehouse PGUSER=etl

psql -X -q -f /opt/tramwh/load/preflight.sql
psql -X -q -v day="$day" -v batch="$batch" -f /opt/tramwh/load/load_stop_events.sql < stop_events.csv
psql -X -q -v day="$day" -v batch="$batch" -f /opt/tramwh/load/load_sales_incidents.sql
/opt/tramwh/bin/check_counts.sh "$day"
