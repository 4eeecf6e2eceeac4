#!/bin/bash
# leaves backup mode, also after an aborted run
set -euo pipefail
. "$(dirname "$0")/lib.sh"
server_version_num=$(psql -XAt -d postgres -c 'SHOW server_version_num')
if [ "$server_version_num" -lt 150000 ]; then
    psql -X -d postgres -c 'SELECT pg_stop_backup()'
fi
