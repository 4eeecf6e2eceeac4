#!/bin/bash
# The radio console keeps its calls in MySQL; fetch yesterday's once a night.
set -euo pipefail
day=$(date -d yesterday +%F)

mysql -h radio1 -N -e "SELECT unit, started FROM calls WHERE day = '$day' AND length > 0AND kind = 2" radio > /tmp/radio.tsv
psql -X -d dispatch -c "\copy radio_calls (unit, started) FROM '/tmp/radio.tsv'"
rm -f /tmp/radio.tsv
