#!/bin/bash
set -euo pipefail
. "$(dirname "$0")/lib.sh"
initdb -D "$PGDATA" --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 --data-checksums
install -m 600 conf/pg_hba.conf "$PGDATA/"
cp -r conf/postgresql.conf conf/conf.d "$PGDATA/"
systemctl enable --now postgresql
createuser --replication --pwprompt replicator
psql -X -d postgres -f sql/schema/010_ops.sql
