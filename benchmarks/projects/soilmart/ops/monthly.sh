#!/bin/bash
# First of the month: the indexes that grow most, one after the other.
set -euo pipefail

export PGDATABASE=${SOILMART_DB:-soilmart}

reindexdb --quiet --table=core.samples --table=core.devices
reindexdb --quiet --schema=raw
reindexdb --quiet --system
psql -X -q -c "REINDEX TABLE core.lab_samples"
psql -X -At -c "SELECT job FROM ops.last_loads WHERE finished_at IS NULL ORDER BY job"
