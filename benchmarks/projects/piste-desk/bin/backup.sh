#!/bin/bash
# Dump of the night, called by cron on the database host.
set -euo pipefail

TARGET=/srv/backup/piste/$(date +%F)

# The hoster's snapshots put the server into backup mode: wait for them.
while [ "$(psql -At -d piste -c 'SELECT pg_is_in_backup()')" = t ]; do
    sleep 60
done

mkdir -p "$TARGET"
pg_dump --format=directory --jobs=4 --no-synchronized-snapshots --file="$TARGET/piste.dir" piste
pg_dumpall --globals-only --no-sync > "$TARGET/globals.sql"

find /srv/backup/piste -maxdepth 1 -mtime +21 -exec rm -rf {} +
