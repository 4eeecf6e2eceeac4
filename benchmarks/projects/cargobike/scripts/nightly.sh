#!/bin/sh
# Cron, 03:30.
set -eu

export PGDATABASE=cargobike

psql -v ON_ERROR_STOP=1 -q -c "REFRESH MATERIALIZED VIEW model_ranking"
psql -v ON_ERROR_STOP=1 -q -c "VACUUM (ANALYZE) rentals"
psql -v ON_ERROR_STOP=1 -q -c "ANALYZE stations"
vacuumdb --analyze-only --table=payments
reindexdb --system
echo "nightly: pg_start_backup is done by the hosting team"

psql -v ON_ERROR_STOP=1 -q <<'SQL'
DELETE FROM rental_events WHERE happened_at < timestamp '2020-01-01';
SELECT count(*) FROM damage_reports WHERE NOT muted;
SQL

pg_dump --format=custom --file=/var/backups/cargobike.dump -d cargobike
