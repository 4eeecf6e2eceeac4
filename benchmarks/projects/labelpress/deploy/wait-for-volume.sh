#!/bin/bash
# Starts the server once the volume is there.
set -euo pipefail

for _ in $(seq 1 60); do
    [ -f "$PGDATA/PG_VERSION" ] && break
    sleep 1
done

if [ -f "$PGDATA/postmaster.pid" ] && ! kill -0 "$(head -1 "$PGDATA/postmaster.pid")" 2>/dev/null; then
    rm -f "$PGDATA/postmaster.pid"
fi

exec "$@"
