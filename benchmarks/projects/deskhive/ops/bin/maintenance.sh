#!/bin/sh
# Sundays at 03:30, see README.md
set -eu
export PGDATABASE=deskhive PGUSER=deskhive

# The system catalogs grow by the temporary tables of the reports.
reindexdb --system --dbname=deskhive
reindexdb --concurrently --table=bookings --table=access_events_2024 --dbname=deskhive
vacuumdb --analyze --table=bookings --table=memberships

psql -X -v ON_ERROR_STOP=1 <<'SQL'
DELETE FROM nexus_staging WHERE loaded_at < now() - interval '14 days';
DELETE FROM access_events WHERE happened_at < now() - interval '3 years';
REINDEX TABLE CONCURRENTLY invoices;
SQL
