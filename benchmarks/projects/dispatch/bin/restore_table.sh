#!/bin/bash
# restore_table.sh DUMP TABLE [DATABASE]
# Shows the rows of a table in a dump, or puts them into a database.
set -euo pipefail
dump=$1
table=$2
database=${3:-}

if ! pg_restore -l "$dump" | grep -q "TABLE DATA public $table "; then
    echo "$dump has no data of $table" >&2
    exit 1
fi

if [ -z "$database" ]; then
    pg_restore --data-only -t "$table" "$dump" | less
else
    pg_restore --data-only -t "$table" -d "$database" "$dump"
fi
