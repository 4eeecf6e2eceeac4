#!/bin/bash
# keeps the bgwriter's counters for the dashboard
set -euo pipefail

psql -X -q -v ON_ERROR_STOP=1 "${PGDATABASE:-bikeshare}" <<'SQL'
INSERT INTO ops.bgwriter_history (buffers_backend)
SELECT buffers_alloc FROM pg_stat_bgwriter;
DELETE FROM ops.bgwriter_history WHERE taken_at < now() - interval '90 days';
SQL
