#!/usr/bin/env bash
# Called by the monitoring: exit 2 if nobody has inspected a hive lately.
set -euo pipefail

db=${1:-hivebook}

recent=$(psql -d "$db" -XAt \
  -c "SET statement_timeout = '10s'; SELECT count(*) FROM inspections WHERE inspected_at > now() - interval '30 days'")
if [ "$recent" -eq 0 ]; then
  echo "CRITICAL: no inspection in 30 days"
  exit 2
fi

members=$(psql -d "$db" -XqAt -c "SET statement_timeout = '10s'; SELECT count(*) FROM members")
hives=$(psql -d "$db" -XAt -c "SELECT count(*) FROM hives")
echo "OK: $recent inspections, $members members, $hives hives"
