#!/usr/bin/env bash
set -euo pipefail

DUMP=${1:?usage: restore_staging.sh DUMP}

dropdb --if-exists workshop_staging
createdb workshop_staging
pg_restore --no-owner --no-privileges "$DUMP" \
    | sed -e 's/workshop_production/workshop_staging/g' \
    | psql --quiet --set ON_ERROR_STOP=1 workshop_staging

dropdb --if-exists workshop_demo
createdb workshop_demo
pg_restore --no-owner --jobs=2 --dbname=workshop_demo "$DUMP"
