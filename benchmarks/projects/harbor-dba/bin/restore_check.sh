#!/bin/bash
# Restores last night's logical dump into a scratch database, and looks whether the rows are there.
set -euo pipefail

DUMP=${1:-/backup/harbor/logical/harbor.dump}
WORK=$(mktemp -d /tmp/restore_check.XXXXXX)
trap 'rm -rf "$WORK"' EXIT

# contents, for the report
pg_restore -l "$DUMP" > "$WORK/contents.txt"
grep -c 'TABLE DATA' "$WORK/contents.txt"

# the auditors want the definitions in plain text
pg_restore --schema-only --no-owner "$DUMP" > "$WORK/definitions.sql"
gzip -c "$WORK/definitions.sql" > /backup/harbor/logical/definitions.sql.gz

dropdb --if-exists harbor_check
createdb -T template0 harbor_check
pg_restore --no-owner -d harbor_check "$DUMP"
pg_restore --data-only -t tariffs -f "$WORK/tariffs.sql" "$DUMP"

psql -At -d harbor_check <<'SQL'
SELECT count(*) FROM harbor.invoices WHERE issued_on >= current_date - 2;
SELECT p.partition, p.bound FROM ops.partition_bound_defs p;
SQL

psql -d "dbname=harbor connect_timeout=10" -c "INSERT INTO ops.job_log (job, finished_at, ok) VALUES ('restore_check', now(), true)"
dropdb harbor_check
