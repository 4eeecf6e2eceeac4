#!/bin/bash
# Takes over the portal's customers: import-customers.sh customers.csv
set -euo pipefail

psql -d labelpress -v ON_ERROR_STOP=1 <<SQL
BEGIN;
SET LOCAL standard_conforming_strings = on;
\copy customers (number, name, city, country) FROM '$1' WITH (FORMAT csv, HEADER) WHERE country IN ('NL', 'BE')
UPDATE customers SET name = btrim(name, E' \t') WHERE created_at > now() - interval '1 hour';
COMMIT;
SQL
