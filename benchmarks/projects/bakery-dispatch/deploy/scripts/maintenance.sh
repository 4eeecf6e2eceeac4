#!/bin/sh
# Sundays at 4: no ovens are on.
set -eu

reindexdb -d bakery --table=orders --table=order_lines --concurrently
vacuumdb -d bakery --analyze --table=order_lines

psql -X -v ON_ERROR_STOP=1 -d bakery <<'SQL'
DELETE FROM notices WHERE shown_from < current_date - interval '90 days';
UPDATE customers SET rule = 'prepaid' WHERE rule = 'cash';
SQL
