#!/bin/bash
# short load after a failover; the scratch database is created by provisioning
set -euo pipefail
. "$(dirname "$0")/lib.sh"
psql -X -d bench -c 'SELECT pg_is_in_recovery()'
pgbench -n -d -c 8 -T 20 bench 2> /var/log/pgcluster/bench.debug
pgbench -n -S -c 8 -T 20 bench
