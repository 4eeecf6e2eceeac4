#!/bin/bash
# Sunday 04:00. dbt creates and drops its relations every night: tables and catalogs bloat alike.
set -euo pipefail

DB=${SOILMART_DB:-soilmart}
BACKUPS=${BACKUPS:-/var/backups/soilmart}

pg_dump --format=custom --dbname="$DB" --file="$BACKUPS/soilmart-$(date +%F).dump"
find "$BACKUPS" -name 'soilmart-*.dump' -mtime +35 -delete

reindexdb --quiet --dbname="$DB"

psql -X -q -d "$DB" <<'SQL'
DELETE FROM ops.loads WHERE job = 'dbt' AND started_at < now() - interval '60 days';
REFRESH MATERIALIZED VIEW public.parameter_keys;
SQL
