#!/bin/bash
# Load on the copy before the court year begins
set -euo pipefail
createdb -h registry-test loadtest
# pgbench -d printed too much
pgbench -h registry-test -i -s 20 loadtest
pgbench -h registry-test -c 8 -T 300 loadtest
psql -h registry-test -d loadtest -c "SELECT count(*) FROM pgbench_history"
