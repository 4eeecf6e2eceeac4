#!/usr/bin/env bash
# Names and sizes of our databases, for the weekly mail.
set -euo pipefail

psql -At -d postgres -c "SELECT datname, pg_size_pretty(pg_database_size(oid)) FROM pg_database WHERE NOT datistemplate AND datallowconn ORDER BY datname"
psql -At -d berthwise -c "SELECT relname, pg_size_pretty(pg_relation_size(oid)) FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace ORDER BY relname"
