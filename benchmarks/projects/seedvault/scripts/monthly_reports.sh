#!/usr/bin/env bash
# First of the month, by deploy/cronjobs.yaml
set -euo pipefail

: "${REPORTING_DATABASE_URL:?address of the database}"
out=${OUT:-/reports}/$(date +%Y-%m)
mkdir -p "$out"

psql -X -v ON_ERROR_STOP=1 --csv -f reports/low_stock.sql "$REPORTING_DATABASE_URL" > "$out/low_stock.csv"
psql -X -v ON_ERROR_STOP=1 --csv -v from="$(date -d '12 months ago' +%Y-01-01)" \
  -f reports/annual_return.sql "$REPORTING_DATABASE_URL" > "$out/annual_return.csv"

# The total on the cover page. DISTINCT needs more memory than a session has.
total=$(psql -X -At -c "SET work_mem = '128MB'; SELECT count(DISTINCT taxon_id) FROM accessions WHERE status = 'banked'" "$REPORTING_DATABASE_URL")
if [ "$total" -lt 1 ]; then
  echo "no taxa at all?" >&2
  exit 1
fi

families=$(psql -X -At -c "SELECT count(DISTINCT family) FROM taxa" "$REPORTING_DATABASE_URL")
printf 'Seedvault holds %s taxa of %s families\n' "$total" "$families" > "$out/cover.txt"
