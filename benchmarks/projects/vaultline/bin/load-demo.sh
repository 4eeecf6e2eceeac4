#!/bin/sh
set -eu
for file in src/main/resources/db/changelog/sql/*.sql; do
    psql -X -q -v ON_ERROR_STOP=1 -d vaultline -f "$file"
done
psql -X -q -v ON_ERROR_STOP=1 --single-transaction -d vaultline -f data/demo.sql
