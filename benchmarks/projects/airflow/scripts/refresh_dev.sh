#!/usr/bin/env bash
# Load last night's dump of the warehouse into a developer's database.
set -euo pipefail

DUMP=${1:-/backups/dwh-latest.dump}
TARGET=${2:-dwh_dev}

pg_restore --list "$DUMP" | grep -v ' ops load_log ' > /tmp/dwh.toc

dropdb --if-exists "$TARGET"
createdb --owner=etl "$TARGET"

pg_restore --section=pre-data --dbname="$TARGET" "$DUMP"
pg_restore --data-only --use-list=/tmp/dwh.toc "$DUMP" \
    | sed -e 's/@customer\.example/@dev.invalid/g' \
    | psql -X -q -v ON_ERROR_STOP=1 "$TARGET"
pg_restore --section=post-data --jobs=4 --dbname="$TARGET" "$DUMP"

psql -X "$TARGET" <<'SQL'
ANALYZE;
UPDATE ops.load_queue SET claimed_at = now() WHERE claimed_at IS NULL;
SQL
