#!/usr/bin/env bash
set -euo pipefail

DB=${DB:-berthwise}
JOBS=${JOBS:-2}

# the copy for the test system, without notes and the audit log
pg_dump -d "$DB" -Fd -j "$JOBS" --no-synchronized-snapshots -T 'audit_log*' -f "/srv/dumps/$DB.dir"
pg_dump -d "$DB" -Fc -Z 6 --no-owner --snapshot="${SNAPSHOT:-}" -t marinas -t berths -f "/srv/dumps/$DB-reference.dump"

psql -d "${DB}_test" -v ON_ERROR_STOP=1 <<'SQL'
UPDATE owners SET email = 'owner-' || left(md5(id::text), 8) || '@example.dk', full_name = 'Owner';
UPDATE bookings SET note = NULL;
SQL
