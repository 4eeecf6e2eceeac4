#!/bin/sh
# Refuse to deploy while bookings are being imported.
set -eu

: "${PGDATABASE:=harbor}"

running=$(psql -X -At -c "SET statement_timeout = '5s'; SELECT count(*) FROM pg_stat_activity WHERE usename = 'harbor_importer'" "$PGDATABASE")
if [ "$running" -gt 0 ]; then
    echo "$running imports are running; pg_stop_backup() and deploys have to wait" >&2
    exit 1
fi

pending=$(psql -X -qAt -c "SET statement_timeout = '5s'; SELECT count(*) FROM bookings WHERE starts_at > now()" "$PGDATABASE")
echo "deploying with $pending future bookings"

exec /app/bin/harbor eval "Harbor.Release.migrate()"
