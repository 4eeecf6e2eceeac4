#!/bin/bash
# Month end, on the first of the next month.
set -euo pipefail
cd "$(dirname "$0")/../db/month_end"
month=${1:-$(date -d 'last month' +%Y-%m-01)}
export PGDATABASE=${PGDATABASE:-ledger}

for step in check_numbers close_month revalue segment_switch; do
    echo "== $step $month"
    psql -X -v ON_ERROR_STOP=1 -v month="$month" -f "$step.sql"
done

psql -X <<SQL
SELECT what, at FROM ledger.audit WHERE what = 'closed $month';
SQL
