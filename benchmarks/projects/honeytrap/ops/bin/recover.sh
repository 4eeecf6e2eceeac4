#!/bin/bash
# Single start after a crash, by hand: shows the log on the terminal.
set -euo pipefail

PGDATA=${PGDATA:-/srv/pg/honeytrap}
BIN=/usr/lib/postgresql/15/bin

if pgrep -u postgres -x postgres >/dev/null; then
    echo "the postmaster is still running" >&2
    exit 1
fi
rm -f "$PGDATA/postmaster.pid"
exec "$BIN/postgres" -D "$PGDATA" -c log_min_messages=info
