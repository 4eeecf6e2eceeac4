#!/bin/bash
# Sunday: the two tables that bloat
set -euo pipefail
. "$(dirname "$0")/env.sh"

reindexdb -d erp -t public.orders -t public.order_lines
psql -Xq -d erp <<'SQL'
SELECT dba.start_job('reindex') AS job \gset
REINDEX SCHEMA dba;
SELECT dba.end_job(:job, true);
SQL
