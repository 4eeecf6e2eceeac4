#!/bin/bash
# Figures of the server for the operators' page, every five minutes
set -euo pipefail
out=/srv/www/figures.txt

psql -XAt -F ' ' -d bank > "$out.new" <<'SQL'
SELECT 'checkpoints',
       checkpoints_timed
  FROM pg_stat_bgwriter;
SELECT 'bgwriter', buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter;
SELECT 'size', pg_size_pretty(pg_database_size('bank'));
SQL
mv "$out.new" "$out"
