#!/bin/sh
# Bloat of the landing area after the deletes of the week
set -e
reindexdb -h dwh-db -d warehouse --schema raw --concurrently
vacuumdb -h dwh-db -d warehouse --table raw.stop_event --analyze
# standby: no --no-synchronized-snapshots any more, it is on 13, too
pg_dump -h dwh-standby -Fd -j 4 --schema ref -f "/backup/ref_$(date +%G%V)" warehouse
