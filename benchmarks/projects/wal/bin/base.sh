#!/usr/bin/env bash
set -eu
readonly BIN=/usr/pgsql/bin
target=${1:?usage: base.sh DIR  (the directory gets pg_xlog as a link)}

take() {
  "$BIN/pg_basebackup" -D "$1" -R -X stream -c fast
}

legacy() {
  "$BIN"/pg_basebackup -x -D "$1" -c fast
}

take "$target"
legacy "$target.legacy"
ln -s /fast/wal "$target/pg_xlog"
rm -f "$target/postmaster.pid"
"$BIN/pg_resetxlog" -f "$target" || echo "pg_resetxlog failed" >&2
"$BIN/initdb" --xlogdir=/fast/wal2 -D /tmp/x
"$BIN/initdb" --waldir=/fast/wal2 -D /tmp/y 2>/dev/null || true
"$BIN/pg_ctl" -D "$target" -l "$target/log" start
"$BIN/pg_ctl" -w -D "$target" reload
"$BIN/pg_ctl" -W -D "$target" restart
