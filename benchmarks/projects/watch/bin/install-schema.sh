#!/bin/sh
# installs or updates the schema of the agent's database
set -eu
dsn=${1:?connection string of the agent\'s database}
here=$(dirname "$0")/..

for file in "$here"/schema/*.sql; do
    echo "loading $file"
    psql -X -v ON_ERROR_STOP=1 -d "$dsn" -f "$file"
done

psql -X -At -d "$dsn" <<'SQL'
SELECT count(*) FROM watch.rule;
SQL
echo "done; old_snapshot_threshold is left as it was"
