#!/bin/sh
# Restart in the maintenance window: waits until the server answers again.
PGDATA=${PGDATA:-/srv/pg/harbor}
pg_ctl -D "$PGDATA" -m fast -w stop
pg_ctl -D "$PGDATA" -w -t 120 -l /var/log/postgresql/startup.log start
psql -Atd postgres <<'SQL'
SELECT pg_is_in_recovery();
SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid();
SQL
