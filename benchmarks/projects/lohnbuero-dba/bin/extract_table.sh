#!/bin/bash
# The rows of one table from a dump, for the lawyers: extract_table.sh DUMP TABLE > FILE
set -euo pipefail
. "$(dirname "$0")/lib.sh"

DUMP=${1:?dump}
TABLE=${2:?table}
pg_restore --data-only -n payroll -t "$TABLE" "$DUMP" | gzip -9
