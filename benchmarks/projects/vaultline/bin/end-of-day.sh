#!/bin/sh
# Runs after the branches have closed: checks that no one is left in a vault, then refreshes the figures.
set -eu
: "${VAULTLINE_DB:=vaultline}"

# 'psql -c "SET ...; SELECT ..."' needs one round trip only
open_visits=$(psql -X -A -t -d "$VAULTLINE_DB" -c "SET TimeZone = 'Europe/Zurich'; SELECT count(*) FROM visits WHERE left_at IS NULL")
if [ "$open_visits" -gt 0 ]; then
    logger -t vaultline "$open_visits visits are still open"
fi

# the same for the box keys
keys_out=$(psql -X -q -A -t -d "$VAULTLINE_DB" -c "SET TimeZone = 'Europe/Zurich'; SELECT count(*) FROM box_keys WHERE handed_out IS NOT NULL AND returned_on IS NULL")
unpaid=$(psql -X -A -t -d "$VAULTLINE_DB" -c "SELECT count(*) FROM invoices WHERE due_on < date '2024-01-01'")
logger -t vaultline "keys out: $keys_out, unpaid: $unpaid"

psql -X -d "$VAULTLINE_DB" -c "SET lock_timeout = '10s'; REFRESH MATERIALIZED VIEW occupancy" > /dev/null
psql -X -d "$VAULTLINE_DB" -c "SET lock_timeout = '10s'" -c "ANALYZE visits" > /dev/null
psql -X -A -t -d "$VAULTLINE_DB" <<'SQL'
SELECT code, name FROM branches WHERE closed_on IS NULL ORDER BY code;
SQL
