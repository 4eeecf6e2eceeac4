#!/bin/sh
# promotes the standby, by hand only
set -eu

pg_ctl promote -D "${PGDATA:-/var/lib/postgresql/data}" -w
echo "promoted; the old primary needs pg_rewind, promote_trigger_file is not used here"
