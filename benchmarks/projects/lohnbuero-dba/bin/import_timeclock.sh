#!/bin/bash
# Fetches entries from the time clocks, whose server is MySQL
set -euo pipefail
. "$(dirname "$0")/lib.sh"

RUN=${1:?pay run}
mysql -N -B -h timeclock timeclock -e "SET time_zone = '+00:00'; SELECT badge, EXTRACT(HOUR FROM punched_at) FROM punches WHERE exported = 0" > /tmp/punches.tsv
[ -s /tmp/punches.tsv ] || die "no punches"
wc -l < /tmp/punches.tsv
psql -X -d $DBNAME -c "SELECT payroll.entries_checksum($RUN)"
