#!/bin/bash
# bk-verify.sh DIRECTORY: verifies a restored, stopped cluster
set -euo pipefail
. "$(dirname "$0")/../lib/common.sh"

directory=${1:?usage: bk-verify.sh DIRECTORY}

"$PGBIN/pg_controldata" -D "$directory" | grep -q 'shut down' \
    || die "$directory is not stopped"

if ! "$PGBIN"/pg_verify_checksums -D "$directory" > "$directory.checksums"; then
    die "checksums of $directory: see $directory.checksums"
fi

catalog -v directory="$directory" <<'SQL'
UPDATE bk.backup
   SET verified = now()
 WHERE path = :'directory';
SQL
