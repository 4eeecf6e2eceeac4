#!/bin/sh
# Creates the cluster of the image, once.
set -eu
mkdir -p "$PGDATA"
pg_ctl initdb -s -D "$PGDATA" -o "--encoding=UTF8 --locale=C.UTF-8 --username=postgres"
pg_ctl start -s -w -D "$PGDATA" -o "-c listen_addresses=''"
createdb --encoding=UTF8 parcelhub
pg_ctl stop -s -D "$PGDATA" -m fast
