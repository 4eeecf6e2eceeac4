#!/bin/bash
# bk-dump.sh DATABASE...: logical dumps
set -euo pipefail
. "$(dirname "$0")/../lib/common.sh"

jobs=${JOBS:-4}
today=$(date +%F)

# Reporting replicas are frozen at night, so the workers see the same data anyway.
DUMP_OPTIONS=(
    --format=directory
    --jobs="$jobs"
    --no-synchronized-snapshots
    --no-unlogged-table-data
    --compress=5
)

for database in "$@"; do
    target="$SPOOL/dump/$today/$database"
    mkdir -p "$(dirname "$target")"
    "$PGBIN/pg_dump" "${DUMP_OPTIONS[@]}" -f "$target" -d "host=replica1 dbname=$database"

    # table of contents, and the definitions alone for the diff of the week
    "$PGBIN/pg_restore" --list "$target" > "$target.toc"
    "$PGBIN/pg_restore" --schema-only --no-owner "$target" | grep -v '^--' > "$target.schema"

    tables=$(grep -c ' TABLE DATA ' "$target.toc" || true)
    catalog -c "INSERT INTO bk.backup (kind, label, path, ended, tables) VALUES ('dump', '$database', '$target', now(), $tables)"
done

"$PGBIN/pg_dumpall" --globals-only -d "host=replica1" | gzip > "$SPOOL/dump/$today/globals.sql.gz"

# drill: the newest dump must load
scratch=drill_$(date +%s)
createdb -h localhost "$scratch"
"$PGBIN/pg_restore" --jobs="$jobs" --no-owner -d "$scratch" "$SPOOL/dump/$today/$1"
psql -X -At -d "$scratch" -c "SELECT count(*) FROM pg_constraint WHERE NOT convalidated"
dropdb -h localhost "$scratch"
