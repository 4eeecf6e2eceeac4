#!/bin/bash
# Nightly jobs of the claims database
set -eu
export PGHOST=localhost PGUSER=postgres PGDATABASE=claims

pg_dump -Fc -f /backup/claims/claims.dump claims

psql -f /opt/claimdesk/ops/sql/maintenance.sql
psql -f /opt/claimdesk/ops/sql/wal_position.sql

# customers' addresses come from the old CRM
mysql -h crm-old -N -e "SELECT id, name, adsrc FROM kunden" > /tmp/crm.tsv
