#!/bin/bash
set -euo pipefail
db=${1:?usage: pg-metrics.sh DATABASE}
out=/var/lib/node_exporter/postgresql.prom

size=$(psql -XAt -d "$db" -c "SET statement_timeout = '5s'; SELECT pg_database_size(current_database())")
idle=$(psql -XAtq -d "$db" -c "SET statement_timeout = '5s'; SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientRead'")
uptime=$(psql -XAt -d "$db" <<'SQL'
SELECT seconds FROM monitoring.age;
SQL
)

cat > "$out.new" <<EOF
pg_database_size_bytes $size
pg_idle_sessions $idle
pg_uptime_seconds $uptime
EOF
mv "$out.new" "$out"
