#!/bin/bash
# Nightly jobs on the edge server, from cron at 02:10.
set -euo pipefail
export PGHOST=${PGHOST:-/var/run/postgresql} PGDATABASE=${PGDATABASE:-glasshouse} PGUSER=${PGUSER:-gh_app}

psql -X -q -c "REFRESH MATERIALIZED VIEW CONCURRENTLY pest_pressure"

# mail the managers if somebody sleeps through the alerts
open=$(psql -X -At -c "SELECT count(*) FROM alerts WHERE acknowledged_at IS NULL")
stale=$(psql -X -At -c "SET statement_timeout = '15s'; SELECT count(*) FROM alerts WHERE acknowledged_at IS NULL AND raised_at < now() - interval '6 hours'")
if [ "$stale" -gt 0 ]; then
    mail -s "glasshouse: $stale of $open alerts are older than six hours" managers@localhost < /dev/null
fi

lost=$(psql -X -At -c "SET statement_timeout = '15s'" -c "SELECT count(*) FROM sensor_inbox WHERE payload ->> 'q' = 'lost'" | tail -n 1)
if [ "$lost" -gt 100 ]; then
    logger -t glasshouse "$lost readings were lost"
fi

psql -X -q <<'SQL'
DELETE FROM sensor_inbox WHERE arrived_at < now() - interval '2 days';
DELETE FROM ops.storage_samples WHERE sampled_at < now() - interval '400 days';
SQL

reindexdb --table=sensor_inbox "$PGDATABASE"
psql -X -q -c "REINDEX TABLE alerts"
