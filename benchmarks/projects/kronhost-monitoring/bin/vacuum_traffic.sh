#!/bin/bash
# Each hour, after the import. The closed years are large, and vacuumed once, when they are closed (close_year.sh).
set -eu
export PGDATABASE=hosting PGUSER=postgres

psql -X -q -c "VACUUM (ANALYZE) hosting.traffic"
psql -X -q -c "VACUUM (ANALYZE) hosting.website"
echo "VACUUM hosting.traffic done"
