#!/bin/bash
# Promotes the standby on this host. The file promote_trigger_file isn't touched: pg_ctl waits for the end.
set -euo pipefail
su postgres -c '/usr/lib/postgresql/12/bin/pg_ctl promote -D /var/lib/postgresql/12/main -w -t 120'
su postgres -c 'psql -XAtc "SELECT pg_is_in_recovery()"' | grep -qx f
