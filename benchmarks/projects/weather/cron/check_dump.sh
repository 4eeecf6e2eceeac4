#!/bin/sh
# 04:40, after the nightly dump: are all the tables in it?
set -eu

DUMP=/srv/backup/weather/latest.dump

tables=$(pg_restore --list "$DUMP" | grep -c ' TABLE DATA ' || true)
[ "$tables" -ge 6 ] || { echo "only $tables tables in $DUMP" >&2; exit 1; }

pg_restore --schema-only --no-owner "$DUMP" | grep -v '^--' > /srv/backup/weather/schema.new
cmp -s /srv/backup/weather/schema.new /srv/backup/weather/schema.old \
    || mail -s "schema of weather changed" ops < /srv/backup/weather/schema.new
mv /srv/backup/weather/schema.new /srv/backup/weather/schema.old

# the dump of the test machine
pg_restore --clean --if-exists --no-owner --dbname=weather_test "$DUMP"
