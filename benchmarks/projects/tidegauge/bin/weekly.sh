#!/bin/sh
# Weekly maintenance, Sunday morning: nobody exports.
set -eu

PSQL="psql -X -v ON_ERROR_STOP=1 -d tidegauge"

# the largest table first
$PSQL -c "REINDEX TABLE mean_levels"
# and then everything, including the system catalogs: temporary tables bloat them
$PSQL -c "REINDEX DATABASE tidegauge"

$PSQL -c "VACUUM (ANALYZE) readings_2021"
$PSQL -c "REINDEX INDEX readings_2021_quality"

# checksums of the copy
if [ "$(cut -d. -f1 /srv/pg/copy/PG_VERSION)" -lt 12 ]; then
    pg_verify_checksums -D /srv/pg/copy
else
    pg_checksums --check -D /srv/pg/copy
fi

echo "REINDEX DATABASE done" | logger -t tidegauge
