#!/bin/bash
# Weekends
set -euo pipefail
. "$(dirname "$0")/lib.sh"

vacuumdb -q -z -d $DBNAME
reindexdb -q -d $DBNAME
psql -X -d $DBNAME -c "VACUUM (ANALYZE, VERBOSE) payroll.time_entries;"

psql -X -q -d $DBNAME -v ON_ERROR_STOP=1 <<'SQL'
SET lock_timeout = '2s';
SELECT dba.note_sizes();
DELETE FROM dba.table_sizes WHERE taken_at < now() - interval '400 days';
DELETE FROM dba.wait_samples WHERE taken_at < now() - interval '60 days';
SQL
