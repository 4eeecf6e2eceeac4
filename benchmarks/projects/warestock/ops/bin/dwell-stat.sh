#!/bin/bash
# Cron, 03:40: dwell times of last week.
set -eu
psql -X -v ON_ERROR_STOP=1 "${DATABASE_URL:?not set}" <<'SQL'
INSERT INTO dwell_stat (bin_id, week, dwell, dwell_min)
SELECT to_bin, date_trunc('week', booked_on)::date, max(now() - created_at),
       (extract(epoch FROM max(now() - created_at)) / 60)::integer
  FROM movement
 WHERE to_bin IS NOT NULL AND booked_on >= current_date - 7
 GROUP BY 1, 2
ON CONFLICT (bin_id, week) DO UPDATE SET dwell = excluded.dwell, dwell_min = excluded.dwell_min;
ANALYZE dwell_stat;
SQL
