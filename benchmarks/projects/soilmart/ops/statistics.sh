#!/bin/bash
# New columns of core get a larger sample; those with a target of their own keep it.
set -euo pipefail

DB=${SOILMART_DB:-soilmart}

psql -X -q -d "$DB" -v ON_ERROR_STOP=1 <<'SQL'
SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 500', a.attrelid::regclass, a.attname)
  FROM pg_attribute a
 WHERE a.attrelid IN ('core.stations'::regclass, 'core.devices'::regclass)
   AND a.attnum > 0
   AND NOT a.attisdropped
   AND a.attstattarget = -1
 ORDER BY a.attrelid, a.attnum
\gexec
SQL

# what the list of targets says, and what the columns have
psql -X -d "$DB" -c "SELECT t.relation, t.attname FROM ops.column_targets t WHERE t.attstattarget = -1"
psql -X -d "$DB" -c "SELECT a.attname FROM pg_attribute a WHERE a.attrelid = 'core.parameters'::regclass AND a.attnum > 0 AND coalesce(a.attstattarget, -1) = -1 ORDER BY a.attnum"
psql -X -d "$DB" -c "SELECT count(*) FROM pg_attribute a WHERE a.attrelid = 'core.labs'::regclass AND a.attstattarget > 0"
