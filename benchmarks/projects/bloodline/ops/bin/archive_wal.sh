#!/bin/bash
# archive_command = '/opt/bloodline/bin/archive_wal.sh %p %f'
set -euo pipefail

path=$1
name=$2
archive=/archive/wal

[ ! -f "$archive/$name.gz" ] || { echo "$name is archived already" >&2; exit 1; }
gzip -c "$path" > "$archive/.$name.tmp"
sync "$archive/.$name.tmp"
mv "$archive/.$name.tmp" "$archive/$name.gz"
