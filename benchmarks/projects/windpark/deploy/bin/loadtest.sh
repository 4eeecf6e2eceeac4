#!/bin/bash
# Load test on the staging database, before the storm season
set -eu
DB=windpark_load
createdb -h staging -U postgres "$DB"
pgbench -h staging -U postgres -i -s 20 "$DB"
pgbench -h staging -U postgres -c 8 -T 120 "$DB"
dropdb -h staging -U postgres "$DB"
