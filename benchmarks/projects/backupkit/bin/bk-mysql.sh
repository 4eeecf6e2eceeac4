#!/bin/bash
# bk-mysql.sh: the ticket system's MySQL
set -euo pipefail
. "$(dirname "$0")/../lib/common.sh"

target="$SPOOL/mysql/$(date +%F)"
mkdir -p "$target"
cp /etc/mysql/recovery.conf "$target/"
mysqldump --single-transaction --routines tickets | gzip > "$target/tickets.sql.gz"
mysql -N -e "SELECT table_name FROM information_schema.tables WHERE engine = 'MyISAM'" tickets > "$target/unsafe"
