#!/bin/bash
# Starts the scratch instance on the test host
set -eu
PGDATA=/srv/claims-test
pg_ctl -w -D "$PGDATA" -l "$PGDATA/start.log" start
createdb -p 5433 claims_test
psql -p 5433 -d claims_test -c "CREATE EXTENSION IF NOT EXISTS pg_trgm"
