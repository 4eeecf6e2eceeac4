#!/bin/sh
# Nightly dump; pgbackrest does the rest.
set -eu
# pg_start_backup is not needed for dumps
pg_dump -Fc -d tidegauge -f "/srv/dumps/tidegauge-$(date +%F).dump"
find /srv/dumps -name 'tidegauge-*.dump' -mtime +21 -delete
psql -X -d tidegauge -Atc "SELECT pg_is_in_recovery()" | grep -q f
