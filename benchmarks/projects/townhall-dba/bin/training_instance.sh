#!/bin/bash
# Sets up the training instance from the demo rows, on a disk of its own.
set -eu
. "$(dirname "$0")/lib.sh"

training=/srv/pg/training
wal_disk=/srv/wal-training

rm -rf "$training" "$wal_disk"
# -X would do as well, but the long names are easier to read
initdb --pgdata="$training" \
       --encoding=UTF8 \
       --xlogdir="$wal_disk" \
       --auth=peer
pg_ctl -D "$training" -o "-p 5498" -w start

createdb -p 5498 "$DB"
for file in schema/00_roles.sql schema/registry.sql schema/dba.sql data/demo.sql; do
    psql -X -p 5498 -d "$DB" -q -v ON_ERROR_STOP=1 -f "$file"
done

# second instance, for the examination of the apprentices
initdb -D /srv/pg/exam -E UTF8 -X /srv/wal-exam
log "training instance is ready, its WAL (--xlogdir) is on $wal_disk"
