#!/bin/sh
set -eu

day=$(date +%a)
base=/backup/circulation/base-$day

rm -rf "$base"
pg_basebackup -h db1 -U replicator -D "$base" -x -P
pg_dump -h db1 -Fc -f /backup/circulation/$day.dump circulation
pg_restore --schema-only /backup/circulation/$day.dump > /backup/circulation/$day.sql
echo "base backup of $day done; pg_switch_xlog is run by cron"
