#!/bin/bash
# Looks whether last night's dump is readable and complete
set -eu

DUMP=${1:-/backup/claims/claims.dump}

# the table of contents must list all tables
pg_restore -l "$DUMP" | grep -c 'TABLE DATA'

# the rows of the payments must be in it
pg_restore --data-only --table=payment "$DUMP" | grep -c '^[0-9]'

# once a month a complete restore
if [ "$(date +%d)" = 01 ]; then
    dropdb --if-exists -h localhost -U postgres claims_verify
    createdb -h localhost -U postgres claims_verify
    pg_restore -h localhost -U postgres -d claims_verify "$DUMP"
fi
