#!/bin/bash
# Weekly: what lives in the database, for the wiki.
set -eu

version=$(psql -At -d weather -c "SHOW server_version_num")

psql -At -d weather <<'SQL' > /srv/wiki/weather/functions.txt
SELECT p.proname, pg_get_function_identity_arguments(p.oid)
  FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
 WHERE n.nspname = 'public'
   AND NOT p.proisagg
 ORDER BY 1, 2;
SQL

if [ "$version" -ge 110000 ]; then
    psql -At -d weather -c "SELECT count(*) FROM pg_proc WHERE prokind = 'w'" > /srv/wiki/weather/windows.txt
else
    psql -At -d weather -c "SELECT count(*) FROM pg_proc WHERE proiswindow" > /srv/wiki/weather/windows.txt
fi

psql -At -d weather -c "SELECT code, name, since FROM stations ORDER BY code" > /srv/wiki/weather/stations.txt
