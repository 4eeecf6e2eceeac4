#!/bin/bash
# pitr.sh 'YYYY-MM-DD HH:MM': prepares a copy of the cluster as of that time on erptest
set -euo pipefail
. "$(dirname "$0")/env.sh"
until=${1:?time}
target=/srv/pgsql/11/pitr

rm -rf "$target"
mkdir -m 700 "$target"
tar -C "$target" -xzf /backup/erp/base/latest/base.tar.gz

cat > "$target/recovery.conf" <<CONF
restore_command = 'cp $archive/%f %p'
recovery_target_time = '$until'
recovery_target_timeline = 'latest'
CONF

pg_ctl -D "$target" -o "-p 5499" -w start
