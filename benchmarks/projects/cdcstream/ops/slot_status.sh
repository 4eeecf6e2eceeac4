#!/bin/sh
# what the slots hold back
set -eu

psql -X -At -F ' ' "${PGDATABASE:-cdc}" <<'SQL'
SELECT slot_name, active,
       pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS held
  FROM pg_replication_slots
 WHERE plugin = 'pgoutput'
 ORDER BY slot_name;
SQL
