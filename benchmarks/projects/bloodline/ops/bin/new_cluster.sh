#!/bin/bash
# Make an empty cluster with the locale that the service expects.
set -euo pipefail

PGDATA=${1:?data directory}
/opt/pgsql/bin/initdb -D "$PGDATA" --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 --data-checksums
cp /opt/bloodline/postgresql/*.conf "$PGDATA/"
/opt/pgsql/bin/pg_ctl -D "$PGDATA" -w start
createdb bloodline
