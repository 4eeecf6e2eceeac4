#!/bin/sh
# called by the monitoring agent
data=${PGDATA:-/var/lib/pgsql/data}
du -sm "$data/pg_xlog" | cut -f1
du -sm "$data/base" | cut -f1
