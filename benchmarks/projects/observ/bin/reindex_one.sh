#!/bin/sh
# usage: reindex_one.sh TABLE
set -eu
psql --dbname observ -c "REINDEX SCHEMA observ"
reindexdb --dbname observ --table "${1:-observ.samples}"
