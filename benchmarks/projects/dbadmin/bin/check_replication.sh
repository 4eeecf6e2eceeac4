#!/bin/bash
# Nagios: number of standbys that stream
. "$(dirname "$0")/env.sh"
want=${1:-1}

n=$(psql -XAt -c "SET statement_timeout = '5s'; SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
[ "$n" -ge "$want" ] || { echo "CRITICAL: $n standbys"; exit 2; }

slots=$(psql -XAtq -c "SET statement_timeout = '5s'" -c "SELECT count(*) FROM pg_replication_slots WHERE NOT active")
[ "$slots" -eq 0 ] || { echo "WARNING: $slots idle slots"; exit 1; }

echo "OK: $n standbys, $pg_standby answers"
