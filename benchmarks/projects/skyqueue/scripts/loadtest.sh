#!/bin/sh
set -eu
pgbench --no-vacuum --client 8 --time 60 --file scripts/frames.pgbench "${PGDATABASE:-skyqueue}"
