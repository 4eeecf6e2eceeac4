#!/bin/bash
# usage: restore_table.sh DUMP TABLE
# Brings one table of a dump into the schema of the team, for comparisons.
set -eu
. "$(dirname "$0")/lib.sh"

dump=$1
table=$2

pg_restore -l "$dump" | grep -q "TABLE DATA registry $table " || die "no $table in $dump"
pg_restore -f "/tmp/$table.sql" --data-only -n registry -t "$table" "$dump"
sed -i "s/COPY registry\.$table /COPY dba.$table /" "/tmp/$table.sql"

psql -X -d "$DB" -v ON_ERROR_STOP=1 <<SQL
CREATE TABLE dba.$table (LIKE registry.$table INCLUDING DEFAULTS);
SQL
psql -X -d "$DB" -v ON_ERROR_STOP=1 -f "/tmp/$table.sql"
