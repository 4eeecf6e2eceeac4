#!/bin/bash
# checks the last base backup, and starts it once
set -euo pipefail
. "$(dirname "$0")/lib.sh"
scratch=$(mktemp -d "$BACKUPS/verify.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

cp -a "$BACKUPS/latest/." "$scratch/"
pg_verify_checksums -D "$scratch" || die "checksums of $BACKUPS/latest are wrong"
pg_controldata -D "$scratch" | grep 'Latest checkpoint location'
log "verified $BACKUPS/latest"
