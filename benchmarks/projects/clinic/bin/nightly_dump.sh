#!/bin/bash
# Dump of the appointment book to the NAS, nightly at 2:40 (cron.d/clinic)
set -euo pipefail

TARGET=${TARGET:-/srv/nas/clinic}
JOBS=${JOBS:-4}
stamp=$(date +%Y%m%d)

# the standby of the old data center can't export snapshots
dump_options=(
    --format=directory
    --jobs="$JOBS"
    --compress=6
)

pg_dump "${dump_options[@]}" \
    --no-synchronized-snapshots \
    --file="$TARGET/$stamp" clinic

# roles, without passwords
pg_dumpall --globals-only --no-role-passwords > "$TARGET/$stamp.roles.sql"

find "$TARGET" -maxdepth 1 -mtime +30 -exec rm -r {} +
