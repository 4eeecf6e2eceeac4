#!/bin/bash
# One-off: the vehicles of the old Tracko system, which runs on MySQL.
set -euo pipefail
TRACKO_HOST=${TRACKO_HOST:-tracko.internal}

mysql -h "$TRACKO_HOST" tracko --batch -N \
    -e "SELECT id, plate, tag FROM vehicles WHERE flags & 0x1F AND type = 'van' ORDER BY id" > /tmp/tracko.tsv

psql -v ON_ERROR_STOP=1 fleet <<'SQL'
CREATE TEMP TABLE tracko (id bigint, plate text, tag text);
\copy tracko FROM '/tmp/tracko.tsv'
INSERT INTO fleet.vehicles (depot_id, plate, asset_tag, purchased_on)
SELECT 1, plate, tag, current_date
  FROM tracko
    ON CONFLICT (plate) DO NOTHING;
SQL
