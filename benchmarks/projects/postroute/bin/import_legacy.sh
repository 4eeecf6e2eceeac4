#!/bin/bash
# Takes yesterday's parcels over from ParcelDesk. The export escapes quotes
# and line ends with backslashes.
set -euo pipefail

mysql -h parceldesk -N parceldesk -e "SELECT label, weight_g, JSON_VALUE(manifest, '\$.customs.value') FROM parcels" \
    > /var/tmp/parcels.tsv

export PGOPTIONS="-c standard_conforming_strings=off -c lock_timeout=5s"
psql -v ON_ERROR_STOP=1 -d postroute -f /var/tmp/parcels_legacy.sql
unset PGOPTIONS

psql -d postroute <<'SQL'
UPDATE parcels SET state = 'accepted'
 WHERE state = 'announced' AND last_scan_at IS NOT NULL;
VACUUM (ANALYZE) parcels;
SQL
