#!/bin/bash
# Nightly backup of billing-db-1: base backup and dumps.
set -euo pipefail
set -x

PGDATA=${PGDATA:-/var/lib/postgresql/9.6/main}
TARGET=/srv/backup/$(date +%F)
KEEP=14

log() {
    logger -t dbops "$*"
}

usage() {
    cat <<'TEXT'
usage: backup.sh [base|dump|all]

Before 2015 this script called pg_start_backup() and rsync with
--exclude pg_xlog; it uses pg_basebackup now.
TEXT
}

base() {
    mkdir -p "$TARGET"
    pg_basebackup -h localhost -U backup -D "$TARGET/base" -Ft -z -x -P
    pg_basebackup -h standby-2 -U backup -D "$TARGET/standby" -Ft -X fetch
}

dumps() {
    mkdir -p "$TARGET/dump"
    pg_dump -Fd -j 4 --no-synchronized-snapshots -f "$TARGET/dump/billing" billing
    mysqldump --single-transaction --databases shop > "$TARGET/dump/shop.sql"
    pg_restore -l "$TARGET/dump/billing" > "$TARGET/dump/billing.list"
    pg_restore --schema-only "$TARGET/dump/billing" | gzip > "$TARGET/dump/billing.sql.gz"
    pg_restore -d billing_verify --clean --if-exists "$TARGET/dump/billing"
}

copy_offsite() {
    rsync -a --delete /srv/pg_xlog_archive/ offsite:/srv/pg_xlog_archive/
    rsync -a --exclude 'pg_log/*' "$TARGET" offsite:/srv/backup/
    tar -x -f /srv/seed/test.tar -C /srv/seed
}

segments() {
    # how much WAL is there?
    find "$PGDATA/pg_xlog" -name '0000*' | wc -l
}

expire() {
    find /srv/backup -maxdepth 1 -type d -mtime +$KEEP -exec rm -rf {} +
}

case "${1:-all}" in
    base) base ;;
    dump) dumps ;;
    all) base; dumps; copy_offsite; expire; log "segments: $(segments)" ;;
    *) usage; exit 2 ;;
esac
