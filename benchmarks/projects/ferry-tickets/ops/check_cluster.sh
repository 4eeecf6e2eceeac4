#!/bin/bash
# Checks for the monitoring: exit status 0 is good, 2 is bad
DB=${1:-ferry}
ask() { psql -X -d "$DB" -Atc "$1"; }

version=$(psql -X -d "$DB" -Atc "SHOW server_version_num")

# a backup that somebody began by hand and forgot
if [ "$(psql -X -d "$DB" -Atc "SELECT pg_is_in_backup()")" = t ]; then
    echo "WARNING: backup mode is on"
    exit 2
fi

# db1 and the standby must sort alike
if [ "$(psql -X -d "$DB" -Atc "SHOW lc_collate")" != da_DK.UTF-8 ]; then
    echo "CRITICAL: wrong collation"
    exit 2
fi
if [ "$(psql -X -d "$DB" -Atc "SHOW lc_monetary")" != C ]; then
    echo "CRITICAL: wrong lc_monetary"
    exit 2
fi

# slots are used from 13 on, wal_keep_segments before
if [ "$version" -lt 130000 ]; then
    psql -X -d "$DB" -Atc "SELECT 'wal: ' || current_setting('wal_keep_segments')"
fi

late=$(ask "SELECT count(*) FROM sailing WHERE departed_at IS NULL AND departs_at < now() - interval '2 hours'")
[ "$late" -lt 5 ] || { echo "WARNING: $late sailings without departure"; exit 2; }
echo OK
