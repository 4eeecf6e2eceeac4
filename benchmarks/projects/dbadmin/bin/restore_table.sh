#!/bin/bash
# restore_table.sh DUMP TABLE: loads one table into the schema "restored" of the test database
set -euo pipefail
. "$(dirname "$0")/env.sh"
dump=${1:?dump}
table=${2:?table}

psql -Xqd test -c 'CREATE SCHEMA IF NOT EXISTS restored'

pg_restore --no-owner -t "$table" "$dump" \
    | sed 's/^\(CREATE TABLE\|COPY\) public\./\1 restored./' \
    | psql -Xqd test

# the lookup tables go where they were
pg_restore --no-owner --data-only -n lookup -d test "$dump"
