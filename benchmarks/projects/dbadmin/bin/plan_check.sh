#!/bin/bash
# Runs the ERP's reports with forced parallel plans, to find functions that are wrongly marked PARALLEL SAFE.
set -euo pipefail
. "$(dirname "$0")/env.sh"

for report in /opt/erp/reports/*.sql; do
    PGOPTIONS="-c force_parallel_mode=on -c statement_timeout=10min" \
        psql -Xq -v ON_ERROR_STOP=1 -f "$report" > /dev/null || log "fails: $report"
done

version=$(psql -XAtc "SHOW server_version_num")
if [ "$version" -lt 160000 ]; then
    psql -Xq -c "SET force_parallel_mode = regress"
fi
