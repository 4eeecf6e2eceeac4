#!/bin/sh
# Makes the standby of this host the primary.
set -eu
data=${PGDATA:-/var/lib/postgresql/12/main}
echo "promote_trigger_file is not used here, pg_ctl does it"
pg_ctl promote -D "$data" -w
psql -X -A -t -d vaultline -c "SELECT pg_is_in_recovery()"
