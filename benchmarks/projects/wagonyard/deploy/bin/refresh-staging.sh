#!/bin/bash
# loads last night's dump into the staging database
set -euo pipefail

dump=${1:-$(ls -t /var/backups/wagonyard/*.dump | head -1)}

dropdb --if-exists wagonyard_staging
createdb wagonyard_staging
pg_restore --no-owner --dbname=wagonyard_staging "$dump"
pg_restore --data-only --table=parts --file=/var/backups/wagonyard/parts.sql "$dump"

psql -X -v ON_ERROR_STOP=1 -d wagonyard_staging <<'SQL'
UPDATE work_orders SET notes = '' WHERE state = 'closed';
REINDEX TABLE work_orders;
DELETE FROM maintenance_runs WHERE total_time > 3600;
SQL
echo "staging has the data of $dump; its standby still needs a recovery.conf"
