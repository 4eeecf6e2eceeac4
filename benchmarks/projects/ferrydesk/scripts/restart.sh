#!/bin/sh
# after a change of the configuration
set -eu
data=${1:-/var/lib/pgsql/data}
pid=$(head -1 "$data/postmaster.pid")
kill -HUP "$pid"
ps -o pid,args -C postgres
test -s "$data/postmaster.opts"
psql -Xc "SHOW shared_buffers" -c "SELECT pg_postmaster_start_time()"
