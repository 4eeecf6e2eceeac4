#!/usr/bin/env bash
set -euo pipefail

DB=${DB:-berthwise_bench}
pgbench -i -s 5 "$DB"
pgbench -c 8 -j 2 -T 60 -D marina=1 -n "$DB"
