#!/bin/bash
# Copies the readings to the analysts' server
set -eu
OUT=/srv/export/readings

rm -rf "$OUT"
pg_dump -h standby -U postgres -Fd -j 2 --no-synchronized-snapshots -t park.reading -f "$OUT" windpark
pg_restore -h analysis -U postgres -d readings --clean --if-exists -j 2 "$OUT"
