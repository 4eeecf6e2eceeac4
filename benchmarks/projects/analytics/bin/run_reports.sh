#!/usr/bin/env bash
# bin/run_reports.sh DAY: all reports of sql/reports as CSV below /srv/bi/DAY
set -euo pipefail

day=${1:?usage: run_reports.sh DAY}
out=/srv/bi/$day
mkdir -p "$out"

psql() { command psql -X -q -v ON_ERROR_STOP=1 -d warehouse "$@"; }

# the big ones get all workers
PGOPTIONS="-c max_parallel_workers_per_gather=16 -c work_mem=2GB"
if [ -n "${SELFTEST:-}" ]; then
    # nothing but parallel plans, to find functions that are wrongly marked
    PGOPTIONS="-c force_parallel_mode=regress"
fi
export PGOPTIONS

for report in sql/reports/*.sql; do
    name=$(basename "$report" .sql)
    psql --csv -v from_day="'$day'" -v to_day="'$day'" -f "$report" > "$out/$name.csv"
done

psql <<SQL
    INSERT INTO quality.finding (rule_id, detail)
    SELECT rule_id, jsonb_build_object('day', '$day', 'rule', name)
      FROM quality.rule
     WHERE enabled AND name = 'reports written';
SQL
