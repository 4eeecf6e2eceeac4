#!/bin/bash
# Compares a restored inventory with the live one.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

restored=${1:?name of the restored database}
for table in customer contract server address domain vhost; do
    live=$(ask "SELECT count(*) FROM $table" inventory)
    copy=$(ask "SELECT count(*) FROM $table" "$restored")
    [ "$copy" -le "$live" ] || die "$table: $copy rows in the copy, $live in the inventory"
done
psql -X -d "$restored" <<'SQL'
SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND NOT convalidated ORDER BY 1;
SELECT s.hostname, l.started_at FROM monitoring.last_backup l JOIN server s USING (hostname) ORDER BY 1;
SQL
