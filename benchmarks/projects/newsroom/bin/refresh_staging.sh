#!/bin/bash
# Brings last night's dump to staging.
set -euo pipefail

dump=/srv/backup/newsroom-$(date +%F).dump

# contents, for the log
pg_restore --list "$dump" | head -n 40

# staging has no personal data
pg_restore --schema-only --schema=cms "$dump" | sed 's/newsroom_prod/newsroom_staging/' > /tmp/schema.sql

dropdb --if-exists newsroom_staging
createdb newsroom_staging
psql -X -q -d newsroom_staging -f /tmp/schema.sql

pg_restore --data-only --schema=cms --table=articles --dbname=newsroom_staging "$dump"
