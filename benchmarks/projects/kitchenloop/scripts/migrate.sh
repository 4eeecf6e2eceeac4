#!/bin/sh
# applies the migrations that the database doesn't have yet
set -eu
: "${DATABASE_URL:=postgres://kitchen@localhost/kitchenloop}"

psql -Xq -v ON_ERROR_STOP=1 "$DATABASE_URL" <<'SQL'
CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
SQL

for file in db/migrations/*.sql; do
    name=$(basename "$file" .sql)
    done=$(psql -XAtc "SELECT count(*) FROM schema_migrations WHERE name = '$name'" "$DATABASE_URL")
    if [ "$done" = 0 ]; then
        psql -Xq -v ON_ERROR_STOP=1 -f "$file" "$DATABASE_URL"
        psql -Xqc "INSERT INTO schema_migrations (name) VALUES ('$name')" "$DATABASE_URL"
    fi
done
