#!/bin/bash
# Bytes that the slowest standby is behind; graphed by the monitoring
set -euo pipefail
. "$(dirname "$0")/lib.sh"

LAG=$(psql -XAt -d $DBNAME -c "SET statement_timeout = '5s'; SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)::bigint FROM pg_stat_replication")
SLOTS=$(psql -XAtq -d $DBNAME -c "SET statement_timeout = '5s'" -c "SELECT count(*) FROM pg_replication_slots WHERE NOT active")

[ "$LAG" -lt 1073741824 ] || log "a standby is $LAG bytes behind"
echo "lag=$LAG inactive_slots=$SLOTS"
