#!/bin/bash
# Hand a departing franchisee the orders of last night's dump as SQL text.
# usage: extract_shop.sh DUMP OUTPUT.sql.gz
set -euo pipefail

dump=$1
output=$2

pg_restore -l "$dump" > /dev/null || { echo "not a dump: $dump" >&2; exit 1; }

pg_restore --data-only --no-owner --table=work_order --file="${output%.gz}" "$dump"
gzip "${output%.gz}"
echo "wrote $output"
