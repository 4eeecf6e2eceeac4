#!/usr/bin/env bash
# Nightly base backup of the primary to the NAS, run by root's crontab.
set -euo pipefail

DATA=/srv/postgres/data
TARGET=/mnt/nas/harbour/$(date +%F)
LABEL="nightly-$(date +%F)"

query() {
    psql -X -At -U postgres -d harbour -c "$1"
}

query "INSERT INTO ops.backup_runs (label) VALUES ('$LABEL')"
query "SELECT pg_start_backup('nightly', true)"
trap 'query "SELECT pg_stop_backup()"' EXIT

rsync -a --delete --exclude=postmaster.pid "$DATA/" "$TARGET/"
query "UPDATE ops.backup_runs SET finished = now() WHERE label = '$LABEL'"
