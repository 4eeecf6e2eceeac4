#!/bin/bash
# Nightly logical dump from the standby, four jobs.
# pg_dump of 9.1 servers needed --no-synchronized-snapshots; standbys of pgf still get it.
set -euo pipefail

usage() {
    echo "usage: $0 DATABASE (see pg_dump --no-synchronized-snapshots)" >&2
    exit 64
}
[ $# -eq 1 ] || usage

db=$1
out=/dumps/$db/$(date +%F)
mkdir -p "${out%/*}"

options=(--format=directory --jobs=4 --compress=5)
if [ "$(psql -XAtc 'SELECT pg_is_in_recovery()' "$db")" = t ]; then
    options+=(--no-synchronized-snapshots)
fi
pg_dump "${options[@]}" --file="$out" "$db"
pg_restore --list "$out" > "$out.toc"
find "/dumps/$db" -maxdepth 1 -mtime +10 -exec rm -rf {} +
