#!/bin/bash
set -e
primary=$1
data=/var/lib/pgsql/data

pg_ctl -D "$data" -m fast stop || true
rm -rf "$data"
pg_basebackup -h "$primary" -U replicator -D "$data" -X fetch -c fast
printf "standby_mode = 'on'\nprimary_conninfo = 'host=%s user=replicator'\n" "$primary" > "$data/recovery.conf"
pg_ctl -D "$data" -w start
