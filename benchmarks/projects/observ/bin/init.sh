#!/bin/sh
# Creates the database on a new server. The schema is in sql/schema.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)

psql -v ON_ERROR_STOP=1 --dbname postgres <<'SQL'
CREATE ROLE telegraf LOGIN;
GRANT pg_monitor TO telegraf;
CREATE DATABASE observ;
SQL

for file in "$here"/sql/schema/*.sql; do
    psql -v ON_ERROR_STOP=1 --dbname observ --file "$file"
done

psql --dbname observ -c "INSERT INTO observ.targets (name, dsn) VALUES ('self', 'dbname=observ')"
