#!/bin/bash
# Sundays: restores the last dump into a scratch database, and compares
set -euo pipefail
. "$(dirname "$0")/lib.sh"

DUMP=$(ls -t "$BACKUPS"/payroll-*.dump | head -1)
dropdb --if-exists payroll_check
createdb payroll_check
pg_restore -j 4 --no-owner -d payroll_check "$DUMP"
pg_restore -n dba --schema-only -f /tmp/dba_schema.sql "$DUMP"

A=$(psql -XAtc "SELECT count(*) FROM payroll.payslips" $DBNAME)
B=$(psql -XAtc "SELECT count(*) FROM payroll.payslips" payroll_check)
[ "$B" -gt 0 ] && [ "$A" -ge "$B" ] || die "restored $B payslips of $A"
log "restore test passed: $B payslips"
