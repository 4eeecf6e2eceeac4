#!/bin/bash
psql "$DATABASE_URL" -c "\copy app.cache from seed/cache.csv csv"
psql "$DATABASE_URL" <<'SQL'
COPY app.cache FROM STDIN WITH (FORMAT csv);
a,"{}"
\.
SQL
psql "$DATABASE_URL" -c 'VACUUM ANALYZE app.events'
psql "$DATABASE_URL" -f seed/extra.sql --single-transaction -v ON_ERROR_STOP=1
