#!/bin/bash
# A copy of the warehouse for the analysts, from last night's dump.
set -euo pipefail

SOURCE=/backup/metermart/$(date -d yesterday +%F)

dropdb --if-exists metermart_lab
createdb --template=template0 --encoding=UTF8 metermart_lab
pg_restore --dbname=metermart_lab --jobs=4 --no-owner "$SOURCE"
psql -X -q -d metermart_lab -c "SET search_path = public, raw" -c "ANALYZE raw.tariffs"
