#!/bin/sh
set -eu

day=${1:-Mon}
dropdb --if-exists circulation_test
createdb circulation_test
pg_restore --no-owner -d circulation_test /backup/circulation/$day.dump
pg_basebackup -h db1 -U replicator -D /srv/test/base -X fetch -c fast
pg_ctl -w -D /srv/test/base start
