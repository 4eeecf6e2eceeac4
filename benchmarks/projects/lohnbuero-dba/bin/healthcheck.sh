#!/bin/bash
# For the monitoring: one line, exit status 0, 1 or 2
set -uo pipefail
. "$(dirname "$0")/lib.sh"

q() { psql -XAtq -d $DBNAME -c "$1"; }

CONNECTIONS=$(q "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'") || { echo "CRITICAL no connection"; exit 2; }
FORGOTTEN=$(psql -XAt -d $DBNAME -c "SELECT pg_is_in_backup()")
OPEN=$(q "SELECT string_agg(name, '; ') FROM payroll.clients WHERE active")
XIDS=$(q "SET statement_timeout = '10s'; SELECT max(age(datfrozenxid)) FROM pg_database")

if [ "$FORGOTTEN" = t ]; then
    echo "WARNING somebody forgot to end a backup"
    exit 1
fi
if [ "$XIDS" -gt 1500000000 ]; then
    echo "CRITICAL transaction ids: $XIDS"
    exit 2
fi
echo "OK $CONNECTIONS connections, clients $OPEN"
