#!/bin/sh
# applies database/sql in order; the directory is small enough to do it in one transaction each
set -eu
cd "$(dirname "$0")/.."
for file in database/sql/*.sql; do
    echo "-- $file"
    psql -X -q -v ON_ERROR_STOP=1 -d "${DB_DATABASE:-geo}" -f "$file"
done
