#!/bin/sh
# at noon nobody observes
set -eu

psql -X -q <<'SQL'
DELETE FROM frame_uploads WHERE started_at < now() - interval '3 days';
ANALYZE frames;
ANALYZE observations;
ANALYZE weather;
VACUUM frames_ccd1;
SQL
