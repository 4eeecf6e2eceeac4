#!/bin/bash
# Makes this host a standby of the given primary.
set -euo pipefail
primary=${1:?name of the primary}
data=/var/lib/postgresql/12/main

systemctl stop postgresql-main || true
[ ! -e "$data/postmaster.pid" ] || { echo "the server still runs" >&2; exit 1; }
rm -rf "${data:?}"/*
pg_basebackup --host="$primary" --username=replicator --pgdata="$data" --wal-method=stream --checkpoint=fast --write-recovery-conf
[ -f "$data/standby.signal" ] || touch "$data/standby.signal"
chown -R postgres: "$data"
systemctl start postgresql-main
su postgres -c 'psql -XAtc "SELECT pg_is_in_recovery()"'
