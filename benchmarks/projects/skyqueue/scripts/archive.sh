#!/bin/bash
set -euo pipefail
night=${1:?night}
dir=/archive/db/$night

pg_dump --format=directory --jobs=4 --no-sync --file="$dir" skyqueue
frames=$(psql -XAt -d skyqueue -c "SELECT count(*) FROM frames WHERE taken_at::date = date '$night'")
reindexdb --table=frame_uploads skyqueue
echo "$night: $frames frames" >> /archive/db/LOG
