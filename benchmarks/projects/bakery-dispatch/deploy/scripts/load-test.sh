#!/bin/sh
# Measures a new machine with the orders of a Saturday.
set -eu

createdb bakery_load
psql -X -q -d bakery_load -c 'CREATE TABLE pings (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz DEFAULT now())'

pgbench -n -c 8 -j 2 -T 120 -f ping.sql bakery_load
# once more with one client, and what it sends
pgbench -d -n -c 1 -t 20 -f ping.sql bakery_load 2> ping.log

dropdb bakery_load
