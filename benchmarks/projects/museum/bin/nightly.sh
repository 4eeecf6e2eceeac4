#!/bin/sh
# Nightly, by cron on the host.
set -eu

DAY=$(date +%a)
TARGET=/srv/backup/museum-$DAY

rm -rf "$TARGET"
# from the standby in the depot, which can't export snapshots for the workers
pg_dump -h depot -U museum_registrar --format=directory --jobs=4 \
    --no-synchronized-snapshots \
    --file="$TARGET" museum

pg_dump -h db -U museum_registrar --schema-only --no-sync --file="$TARGET.sql" museum

psql -h db -U museum_registrar -X -v ON_ERROR_STOP=1 museum <<'SQL'
DELETE FROM collection_vacuumlog WHERE at < now() - interval '90 days';
INSERT INTO collection_vacuumlog (tablename, max_dead_tuples)
SELECT relname, n_dead_tup FROM pg_stat_user_tables WHERE n_dead_tup > 1000;
SQL

python manage.py dbcheck | mail -s "collection: database" registrar@museum.example
