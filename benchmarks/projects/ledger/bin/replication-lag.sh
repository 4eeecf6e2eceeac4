#!/bin/sh
# For the monitoring: one line for each standby.
psql -XAt -F ' ' -d postgres -c "SELECT application_name, state, flush_location FROM pg_stat_replication ORDER BY 1" ||
    echo "replication-lag: no answer, is pg_receivexlog still running?" >&2
