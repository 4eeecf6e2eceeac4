#!/bin/sh
# Applies the migrations without the application, for a new standby of the test desk.
set -eu
cd "$(dirname "$0")/.."
DATABASE=${1:-dispatch}

for file in migrations/*.sql; do
    echo "applying $file"
    psql -X -q -v ON_ERROR_STOP=1 -d "$DATABASE" -f "$file"
done
psql -X -d "$DATABASE" -c "ANALYZE"
