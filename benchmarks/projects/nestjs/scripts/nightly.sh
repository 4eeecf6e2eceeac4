#!/bin/sh
set -eu
: "${PGDATABASE:=fleet}"
export PGDATABASE

psql -X -v ON_ERROR_STOP=1 <<'SQL'
INSERT INTO readings_archive (vehicle_id, taken_at, speed, fuel)
SELECT vehicle_id, taken_at, speed, fuel
  FROM ONLY readings
 WHERE taken_at < now() - interval '90 days';
DELETE FROM ONLY readings WHERE taken_at < now() - interval '90 days';
VACUUM (ANALYZE) readings;
VACUUM (ANALYZE) bookings;
REINDEX TABLE bookings;
SQL
echo "archived; old_snapshot_threshold may end reports that still run"
