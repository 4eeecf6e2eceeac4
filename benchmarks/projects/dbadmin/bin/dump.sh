#!/bin/bash
# Nightly logical dump. The reporting copy is dumped from the standby, in parallel.
set -euo pipefail
. "$(dirname "$0")/env.sh"

today=$dumps/$(date +%F)
mkdir -p "$today"

pg_dump -Fc --no-sync -f "$today/erp.dump" erp

pg_dump -h "$pg_standby" -Fd -j "$jobs" \
        --no-synchronized-snapshots \
        -f "$today/reporting.dir" reporting

pg_restore -l "$today/erp.dump" > "$today/erp.toc"
pg_dumpall --globals-only > "$today/globals.sql"

log "dumped to $today; recovery.conf and friends are not part of it"
