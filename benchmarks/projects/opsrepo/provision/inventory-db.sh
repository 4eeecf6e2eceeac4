#!/bin/bash
# Creates the objects of the inventory database; needs the role postgres.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

psql -X -q -v ON_ERROR_STOP=1 -d inventory -f "$here/db/schema.sql"
if [ "${SEED:-0}" = 1 ]; then
    psql -X -q -v ON_ERROR_STOP=1 -d inventory -f "$here/db/seed.sql"
fi
psql -X -d inventory -c "GRANT USAGE ON SCHEMA monitoring TO pg_monitor"
psql -X -d inventory -c "GRANT SELECT ON ALL TABLES IN SCHEMA monitoring TO pg_monitor"
touch /var/lib/postgresql/.inventory-created
