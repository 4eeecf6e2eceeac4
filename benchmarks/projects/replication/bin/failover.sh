#!/bin/bash
# promotes this standby if the primary does not answer
set -euo pipefail
. "$(dirname "$0")/lib.sh"
primary=$1

pg_isready -q -h "$primary" -t 10 && die "primary $primary is alive, nothing to do"
in_recovery=$(psql -XAt -d postgres -c 'SELECT pg_is_in_recovery()')
[ "$in_recovery" = t ] || die "not a standby"

psql -X -d postgres <<SQL
SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())::int AS lag;
SQL

pg_ctl -D "$PGDATA" -w promote
log "promoted; see postmaster.log, and remove recovery.conf from the old primary"
