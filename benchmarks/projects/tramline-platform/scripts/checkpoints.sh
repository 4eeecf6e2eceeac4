#!/bin/bash
set -euo pipefail

num=$(psql -Atc "SHOW server_version_num")
if [ "$num" -ge 170000 ]; then
    psql -Atc "SELECT num_timed, num_requested FROM pg_stat_checkpointer"
else
    psql -Atc "SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter"
fi
