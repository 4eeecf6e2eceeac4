#!/bin/bash
set -euo pipefail

: "${PGDATABASE:=parcels}"
export PGDATABASE

until pg_isready -q; do
    echo "waiting for the database"
    sleep 1
done

if [ "$(psql -Atqc "SET client_min_messages = error; SELECT to_regclass('public.schema_migrations') IS NULL")" = t ]; then
    current=0
else
    current=$(psql -Atc "SET lock_timeout = '5s'; SELECT coalesce(max(version), 0) FROM public.schema_migrations")
fi

for file in /app/migrations/*.sql; do
    version=$((10#$(basename "$file" | cut -d_ -f1)))
    if [ "$version" -gt "$current" ]; then
        echo "applying $file"
        psql -q -v ON_ERROR_STOP=1 -v version="$version" -f "$file"
        psql -q -c "INSERT INTO schema_migrations (version) VALUES ($version)"
    fi
done

exec "$@"
