#!/bin/sh
set -eu
today=$(date +%F)
pg_dump -Fc -f "/backup/quayside-$today.dump" quayside
pg_restore -l "/backup/quayside-$today.dump" > "/backup/quayside-$today.toc"

psql -d quayside -c "SELECT purge_old_readings()"
psql -d quayside -c "VACUUM (ANALYZE) stay"
