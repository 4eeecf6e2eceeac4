#!/bin/bash
# Weekly maintenance, after the batch of the mortgage lenders.
. "$(dirname "$0")/common.sh"

log "vacuum"
$PSQL -c 'VACUUM (ANALYZE, VERBOSE) registry.title (title_no, parcel_id)'
$PSQL -c 'VACUUM (VERBOSE) registry.parcel (district_id, lot_no)'
$PSQL -c 'VACUUM (VERBOSE) registry.charge'
$PSQL -c 'ANALYZE registry.lodgement (status, lodged_on)'
$PSQL -c 'VACUUM ANALYZE registry.lease (begins_on)'

log "snapshots"
$PSQL <<'SQL'
SELECT dba.take_table_snapshot(current_date);
INSERT INTO dba.job_run (job, ran_at, message)
VALUES ('vacuum_weekly', localtimestamp, 'VACUUM registry.parcel (district_id, lot_no) done');
SQL

$PSQL -c 'SELECT dba.rebuild_lease_indexes()'
log done
