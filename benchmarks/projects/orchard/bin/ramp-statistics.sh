#!/bin/sh
# the same numbers for the screen at the ramp, which also shows the test server (already on a newer release)
set -eu
PGDATABASE=orchard
export PGDATABASE
version=$(psql -XAtc 'SHOW server_version_num')

if [ "$version" -ge 130000 ]; then
    psql -X -c "SELECT calls, total_exec_time FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 5"
fi

psql -X -c "SELECT line, sum(total_time) AS seconds FROM sorting_run GROUP BY line"
