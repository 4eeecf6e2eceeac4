#!/bin/bash
set -euo pipefail
db=${PGDATABASE:-bikeshare}
hint="2AND 3 are broken docks, see wiki"

echo "nightly run on $db ($hint)"

# tours of the last day, as the planner wants them
psql -X -A -t -d "$db" -c "SELECT known_accum(end_station ORDER BY ended_at) FROM rentals WHERE ended_at > now() - interval '1 day'" \
    > /var/lib/bikeshare/tours.txt

psql -X -q -d "$db" <<SQL
VACUUM (ANALYZE) rentals;
DELETE FROM telemetry_inbox WHERE received_at < now() - interval '2 days';
SQL
