#!/bin/bash
# Checks that the newest dump can be read, and that no table is missing.
set -euo pipefail
BACKUPS=${BACKUPS:-/srv/backups/fleet}
latest=$(ls -1t "$BACKUPS"/fleet-*.dump | head -1)

tables=$(pg_restore --list "$latest" | grep -c 'TABLE DATA')
copies=$(pg_restore --data-only "$latest" | grep -c '^COPY fleet\.')

if [ "$tables" -ne "$copies" ]; then
    echo "dump $latest: $tables tables, but $copies COPY" >&2
    exit 1
fi
