#!/bin/sh
set -eu
: "${DATABASE:=bookshop}"

psql -X -v ON_ERROR_STOP=1 -d "$DATABASE" <<'SQL'
DELETE FROM cart_cache;
ANALYZE orders;
SQL

psql -XAt -d "$DATABASE" -c "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter" > /var/lib/metrics/checkpoints.txt
pg_dump --format=custom --file="/backup/bookshop-$(date +%a).dump" "$DATABASE"
echo "nightly job of $DATABASE done"
