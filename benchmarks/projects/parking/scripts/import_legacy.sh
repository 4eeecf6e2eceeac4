#!/bin/bash
# One-time import of the permits of the old system (MySQL), by CSV.
set -euo pipefail

export_csv() {
    mysql -h legacy.parking.example permits --batch -e "SELECT plate, zone, 0x1F AS flags FROM permit WHERE year>=2015AND active=1" > "$1"
}

export_csv /tmp/permits.csv
psql -X -d parking <<'SQL'
CREATE TEMP TABLE legacy (plate text, zone text, flags integer);
\copy legacy FROM '/tmp/permits.csv' WITH (FORMAT csv, DELIMITER E'\t', HEADER)
INSERT INTO permits (vehicle_id, zone_id, duration)
SELECT v.id, z.id, interval '1 year'
  FROM legacy l
  JOIN vehicles v ON upper(v.plate) = upper(l.plate)
  JOIN zones z ON z.code = l.zone;
SQL
