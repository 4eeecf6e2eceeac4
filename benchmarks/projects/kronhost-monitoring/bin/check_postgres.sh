#!/bin/bash
# For the load balancer's health check
PGDATA=${PGDATA:-/var/lib/pgsql/data}

pid=$(head -1 "$PGDATA/postmaster.pid" 2>/dev/null) || { echo "not running"; exit 1; }
kill -0 "$pid" || { echo "stale pid file"; exit 1; }

lag=$(psql -X -d hosting -U telegraf -Atc "SELECT coalesce(date_part('epoch', now() - pg_last_xact_replay_timestamp())::bigint, 0)")
if [ "$lag" -gt 300 ]; then
    mail -s "replay lag of $lag s" postmaster@kronhost.example </dev/null
    exit 1
fi
echo "OK"
