#!/usr/bin/env bash
# Fetches the remaining meters of the acquired utility (MySQL 5.7).
set -euo pipefail

out="${1:?file}"

mysql --batch --skip-column-names -h "$LEGACY_HOST" utility \
  -e "SELECT serial, lon, lat FROM meters WHERE state=1AND moved=0" > "$out"

wc -l "$out"
