#!/bin/sh
# Applies what is not applied yet.
set -eu
cd "$(dirname "$0")/../migrations"
psql -qX -v ON_ERROR_STOP=1 -c "CREATE SCHEMA IF NOT EXISTS deploy" "$DATABASE_URL"
psql -qX -v ON_ERROR_STOP=1 -c "CREATE TABLE IF NOT EXISTS deploy.applied (name text PRIMARY KEY)" "$DATABASE_URL"
for file in *.sql; do
    done=$(psql -AtqX -c "SELECT count(*) FROM deploy.applied WHERE name = '$file'" "$DATABASE_URL")
    if [ "$done" = 0 ]; then
        psql -qX -v ON_ERROR_STOP=1 -f "$file" "$DATABASE_URL"
        psql -qX -c "INSERT INTO deploy.applied VALUES ('$file')" "$DATABASE_URL"
    fi
done
