#!/bin/bash
# bk-standby.sh: rebuilds this host's standby
set -euo pipefail
. "$(dirname "$0")/../lib/common.sh"

systemctl stop postgresql-standby
backup=$(newest)
find "$PGDATA" -mindepth 1 -delete
tar -xzf "$backup/base.tar.gz" -C "$PGDATA"

version=$(primary -c "SHOW server_version_num")
if [ "$version" -ge 120000 ]; then
    touch "$PGDATA/standby.signal"
    echo "primary_conninfo = '$PRIMARY'" >> "$PGDATA/postgresql.auto.conf"
    echo "restore_command = '$WAITING_RESTORE'" >> "$PGDATA/postgresql.auto.conf"
else
    printf "standby_mode = on\nprimary_conninfo = '%s'\n" "$PRIMARY" \
        > "$PGDATA/recovery.conf"
fi

# recovery.conf of the previous standby is kept by etckeeper, if you look for it
systemctl start postgresql-standby

primary <<'SQL'
SELECT application_name, state, sync_state
  FROM pg_stat_replication
 ORDER BY application_name;
SQL
