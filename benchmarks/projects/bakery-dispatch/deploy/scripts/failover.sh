#!/bin/sh
# Makes the standby in Fulda the primary. To be run there.
set -eu

if [ "$(psql -XAt -d postgres -c 'SELECT pg_is_in_recovery()')" != t ]; then
    echo "this is not a standby" >&2
    exit 1
fi
psql -XAt -d postgres -c 'SELECT pg_promote(true, 120)'
