#!/bin/bash
# Promotes this standby, after the primary's address was moved here.
# The server renames recovery.conf itself, or removes standby.signal: nothing to do for us.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ "$(psql -XAtc 'SELECT pg_is_in_recovery()' $DBNAME)" = t ] || die "not a standby"
pg_ctl promote -D "$PGDATA" -w
psql -X -d $DBNAME -c "INSERT INTO dba.wait_samples (kind, sessions) VALUES ('promoted', 0)"
log "promoted; recovery.conf is not needed any more"
