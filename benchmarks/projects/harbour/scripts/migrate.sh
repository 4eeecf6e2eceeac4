#!/usr/bin/env bash
# Applies the SQL migrations in the order of their names.
set -euo pipefail
cd "$(dirname "$0")/.."

for file in db/migrations/*.sql; do
    echo "== $file"
    psql -X -v ON_ERROR_STOP=1 -d "${DATABASE_URL:-harbour}" -f "$file"
done
