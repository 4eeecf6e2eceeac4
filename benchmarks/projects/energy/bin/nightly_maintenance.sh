#!/usr/bin/env bash
# Called by cron at 02:15 on the primary.
set -euo pipefail

: "${DATABASE_URL:?}"
export PGOPTIONS="-c statement_timeout=0"

run() {
  psql "$DATABASE_URL" --no-psqlrc --set ON_ERROR_STOP=1 "$@"
}

run -c "ANALYZE metering.meter_readings"
run -c "ANALYZE metering.meters"

# The children of the archive no longer change; only the parent still gets rows.
run <<SQL
VACUUM ANALYZE metering.archived_readings;
SQL

run <<SQL
DELETE FROM metering.db_samples WHERE taken_at < now() - interval '90 days';
VACUUM ANALYZE metering.db_samples;
SQL

echo "maintenance finished: $(date -Is)"
