#!/bin/sh
# Called by the agent each minute: prints what the graphs need.
set -eu

PGDATA=${PGDATA:-/srv/pg/honeytrap}
BIN=/usr/lib/postgresql/15/bin

pid=$(head -n 1 "$PGDATA/postmaster.pid")
kill -0 "$pid" || { echo "down"; exit 2; }

psql -XAtq -d honeytrap <<'SQL'
SELECT 'wal_bytes', wal_bytes FROM pg_stat_wal;
SELECT 'wal_full_writes', wal_buffers_full, wal_write FROM pg_stat_wal;
SELECT 'wal_records', wal_records + wal_fpi FROM pg_stat_wal;
SELECT 'journal', sum(wal_write), sum(wal_sync) FROM gateway_status;
SQL

psql -XAtq -d honeytrap -c "SELECT 'alarms', count(*) FROM alarms WHERE closed_at IS NULL"
