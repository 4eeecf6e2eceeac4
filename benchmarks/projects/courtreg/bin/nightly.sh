#!/bin/sh
# crontab of postgres: 15 2 * * *
set -eu
psql -X -q -v ON_ERROR_STOP=1 -d registry -f /opt/courtreg/sql/jobs/nightly.sql
psql -X -q -d registry -c "SELECT count(*) FROM monitor.untuned_columns()"
vacuumdb --quiet --analyze --table registry.web_session registry
pg_dump --format=custom --file "/backup/registry_$(date +%F).dump" registry
