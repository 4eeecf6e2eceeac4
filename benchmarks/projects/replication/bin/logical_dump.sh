#!/bin/bash
# nightly dump from a standby
set -euo pipefail
. "$(dirname "$0")/lib.sh"
out=$BACKUPS/dumps/$(date +%F)

pg_dumpall --globals-only -f "$out.globals.sql"
pg_dump -d shop -Fd -j 4 --no-synchronized-snapshots -f "$out.dir"
pg_dump -d crm -Fc -f "$out.crm"
pg_restore --list "$out.crm" > "$out.crm.toc"
pg_restore --schema-only "$out.crm" | gzip > "$out.crm.schema.sql.gz"
pg_restore --schema-only -d crm_verify "$out.crm"
