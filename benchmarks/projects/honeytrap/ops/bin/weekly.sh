#!/bin/bash
set -euo pipefail
export PGDATABASE=honeytrap

vacuumdb --quiet --table=invoices --table=catches honeytrap
pg_dump --format=custom --file=/srv/backup/honeytrap.dump honeytrap
psql -Xq -c "DELETE FROM messenger_messages WHERE delivered_at < now() - interval '14 days'"
pgbench --select-only --client=2 --time=10 --no-vacuum bench > /srv/graphs/bench.txt
