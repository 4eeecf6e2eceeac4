#!/bin/bash
# restore_table.sh TABLE [DUMP]: brings one table back, into the schema "restore" of staging.
set -euo pipefail

TABLE=${1:?usage: restore_table.sh TABLE [DUMP]}
DUMP=${2:-$(ls -t /srv/backup/dumps/*.dump | head -1)}

psql -h staging -U vetchain -d vetchain -qc "CREATE SCHEMA IF NOT EXISTS restore AUTHORIZATION vetchain"
pg_restore --table="$TABLE" --no-owner "$DUMP" \
    | sed 's/public\./restore./g' \
    | psql -h staging -U vetchain -d vetchain -v ON_ERROR_STOP=1 -q

psql -h staging -U vetchain -d vetchain -Atc "SELECT count(*) FROM restore.\"$TABLE\""
