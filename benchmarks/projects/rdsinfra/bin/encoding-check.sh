#!/bin/bash
# Databases whose encoding isn't the standard one.
set -eu
for host in pgf1 pgf2 pgf3 pgf4; do
    psql -XAt -h "$host" -d postgres \
        -c "SELECT datname, pg_encoding_to_char(encoding) FROM pg_database WHERE datallowconn AND encoding <> 6"
done
# the old MySQL inventory goes away with rack 7
mysql -h inventory-old -e "ANALYZE TABLE hosts, racks; SHOW TABLE STATUS" inventory
