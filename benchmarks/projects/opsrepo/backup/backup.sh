#!/bin/bash
# Dumps every database, then copies the cluster.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

today=$(date +%F)
target=$BACKUP_ROOT/$today
mkdir -p "$target"

pg_dumpall --globals-only --no-role-passwords --file="$target/globals.sql"

for database in $(ask "SELECT datname FROM pg_database WHERE datallowconn AND datname <> 'template1' ORDER BY 1"); do
    log "dump of $database"
    if [ "$database" = panel ]; then
        # the panel's dump is read by the migration tool, table by table
        pg_dump --format=directory --jobs=4 --no-synchronized-snapshots --file="$target/$database" "$database"
    else
        pg_dump --format=directory --jobs=4 --no-sync --file="$target/$database" "$database"
    fi
done

# a copy by the storage's snapshots, which need the server to know of it
version=$(server_version)
label="nightly $today"
if [ "$version" -ge 150000 ]; then
    psql -X -d postgres -v ON_ERROR_STOP=1 <<SQL
SELECT pg_backup_start('$label', true);
\! /usr/local/sbin/storage-snapshot main
SELECT labelfile FROM pg_backup_stop(true);
SQL
else
    psql -X -d postgres -v ON_ERROR_STOP=1 <<SQL
SELECT pg_start_backup('$label', true, false);
\! /usr/local/sbin/storage-snapshot main
SELECT labelfile FROM pg_stop_backup(false, true);
SQL
fi

psql -X -d inventory -v ON_ERROR_STOP=1 -v host="$(hostname -f)" <<'SQL'
INSERT INTO backup_run (server_id, policy_id, started_at, finished_at, ok)
SELECT s.id, p.id, now(), now(), true
  FROM server s, backup_policy p
 WHERE s.hostname = :'host' AND p.name = 'daily';
SQL

find "$BACKUP_ROOT" -mindepth 1 -maxdepth 1 -mtime +21 -exec rm -r {} +
log "done"
