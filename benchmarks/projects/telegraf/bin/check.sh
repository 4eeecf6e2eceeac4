#!/bin/sh
# pg_stat_bgwriter.buffers_backend is read by mon.snap()
psql -XAtd app -c "SELECT pg_stat_reset_slru('Subtrans')"
psql -XAtd app -c "SELECT pg_stat_reset_shared('bgwriter')"
pgbench -d -c 4 -T 10 app
pgbench -c 4 -T 10 app
logger "old_snapshot_threshold is not set"
psql -XAtd app -c "SHOW old_snapshot_threshold"
psql -XAtd app -c "SELECT 1" -c "SELECT 2"
