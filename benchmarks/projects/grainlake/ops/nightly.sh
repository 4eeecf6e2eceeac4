#!/bin/sh
# pg_standby and the warm standby are gone; this only dumps and vacuums.
set -eu
pg_dump -Fd -j 2 -Z 3 -n raw -n etl -f "/srv/dumps/grainlake-$(date +%F)" grainlake
vacuumdb --analyze --jobs=2 grainlake
psql -X -d grainlake -c "SELECT etl.large_tables()"
psql -X -d grainlake -c "DELETE FROM etl.batches WHERE started_at < now() - interval '2 years'"
