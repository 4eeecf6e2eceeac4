#!/bin/bash
# Sunday's maintenance
set -euo pipefail

# donors' search index bloats; only this table
reindexdb --dbname=bloodline --table=donor
psql -d bloodline -c "VACUUM (ANALYZE) unit_of_blood"

# the promotion of the standby is done by hand: promote_trigger_file is not set
