#!/bin/bash
# copies reference data to staging
set -euo pipefail

dump=$(mktemp)
trap 'rm -f "$dump"' EXIT

pg_dump -Fc -t depots -t zones parcels > "$dump"
pg_restore --data-only -f - "$dump" | psql -q -h staging-db parcels
psql -q -h staging-db -c "ANALYZE depots" -c "ANALYZE zones" parcels
