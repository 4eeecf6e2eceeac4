#!/bin/bash
# Sundays, after the retention DAG.
set -euo pipefail

DSN=${METERMART_DSN:-dbname=metermart}

psql -X -q -v ON_ERROR_STOP=1 "$DSN" <<'SQL'
VACUUM (ANALYZE) raw.head_end_messages;
ANALYZE raw.events_device;
ANALYZE raw.meters;
REINDEX TABLE raw.premises;
REINDEX INDEX raw.head_end_messages_batch_idx;
SQL

# columns with a statistics target of their own
psql -X -At "$DSN" <<'SQL'
SELECT a.attrelid::regclass, a.attname, a.attstattarget
  FROM pg_attribute a
 WHERE a.attstattarget > 0
   AND a.attrelid IN ('raw.readings'::regclass, 'raw.meters'::regclass);
SQL

psql -X -At -c "SELECT pg_size_pretty(pg_relation_size('raw.premises'))" "$DSN"
vacuumdb --dbname=metermart --analyze-only --table=raw.customers
