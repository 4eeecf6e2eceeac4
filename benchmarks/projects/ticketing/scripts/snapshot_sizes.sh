#!/usr/bin/env bash
set -euo pipefail

psql -d "${DB:-ticketing}" -v ON_ERROR_STOP=1 -q <<'SQL'
INSERT INTO table_sizes (table_name, num_dead_tuples)
SELECT relname, n_dead_tup
  FROM pg_stat_user_tables
 WHERE schemaname = 'public';

DELETE FROM table_sizes
 WHERE taken_at < now() - interval '90 days';
SQL
