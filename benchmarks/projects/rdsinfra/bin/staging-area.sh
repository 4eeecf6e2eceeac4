#!/bin/bash
# Creates the staging area of a bulk load: one partitioned table for each table that is named.
set -euo pipefail

for table in "$@"; do
    psql -X -v ON_ERROR_STOP=1 -v table="$table" billing <<'SQL'
SELECT set_config('staging.tab', :'table', false);
DO $do$
DECLARE
    tab text := current_setting('staging.tab');
BEGIN
    EXECUTE format(
        'CREATE UNLOGGED TABLE IF NOT EXISTS staging.%I (LIKE billing.invoice INCLUDING DEFAULTS)'
        ' PARTITION BY RANGE (booked_on)', tab);
    EXECUTE format('CREATE TABLE IF NOT EXISTS staging.%I PARTITION OF staging.%I DEFAULT', tab || '_rest', tab);
END
$do$;
CREATE UNLOGGED TABLE IF NOT EXISTS staging.errors (line bigint, message text);
TRUNCATE staging.errors;
SQL
done
