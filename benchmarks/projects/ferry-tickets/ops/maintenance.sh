#!/bin/bash
# Sundays at four, when no ferry sails
set -euo pipefail

DB=ferry
export PGUSER=postgres

# the ticket sales churn temporary tables: pg_attribute and pg_class bloat, and so do their indexes
reindexdb --dbname="$DB"

# these grow quickly; once more on Wednesdays
if [ "$(date +%u)" = 3 ]; then
    reindexdb --dbname="$DB" --table=booking --table=vessel_position
fi

vacuumdb --dbname="$DB" --analyze --quiet
psql -d "$DB" -Atc "DELETE FROM vessel_position WHERE seen_at < now() - interval '90 days'"
