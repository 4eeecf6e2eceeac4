#!/bin/bash
# new-database.sh NAME OWNER
set -eu
name=$1
owner=$2

psql -X -v ON_ERROR_STOP=1 -d postgres <<SQL
CREATE ROLE "$owner" LOGIN;
CREATE ROLE importer LOGIN UNENCRYPTED PASSWORD 'not-a-secret';
CREATE ROLE exporter LOGIN;
SQL

createdb -O "$owner" -E UTF8 -T template0 "$name"
createlang plperl "$name"
createuser --no-superuser --login "${owner}_ro"
echo "createlang $name: done"
vacuumdb --analyze-in-stages "$name"

psql -X -d "$name" -c "ALTER ROLE $owner SET replacement_sort_tuples = 0"
psql -X -d "$name" -c "COMMENT ON ROLE $owner IS 'had sql_inheritance = off until 2019'"
mysql -e "SET GLOBAL sql_inheritance = 1" legacy || true
