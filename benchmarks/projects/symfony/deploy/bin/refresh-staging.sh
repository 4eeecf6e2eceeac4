#!/bin/bash
set -euo pipefail

dump=$(ls -1 /backup/marketplace/*/marketplace.dump | tail -n 1)

dropdb --if-exists staging
createdb staging
pg_restore --no-owner -d staging "$dump"

pg_restore --no-owner --schema-only "$dump" | sed 's/marketplace_app/staging_app/g' > /tmp/staging-schema.sql

psql -d staging <<'SQL'
UPDATE sellers SET vat_id = 'XX' || id, name = 'Seller ' || id;
TRUNCATE legacy_notes;
SQL
