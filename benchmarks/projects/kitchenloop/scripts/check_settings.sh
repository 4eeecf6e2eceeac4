#!/bin/sh
# addresses of clients must not be in the log
set -eu
db=${1:-kitchenloop}
wrong=0

if [ "$(psql -XAt -d "$db" -c 'SHOW log_connections')" != off ]; then
    echo "log_connections is not off" >&2
    wrong=1
fi
if [ "$(psql -XAt -d "$db" -c 'SHOW log_disconnections')" != off ]; then
    wrong=1
fi
if [ "$(psql -XAt -d "$db" -c 'SHOW log_hostname')" != off ]; then
    wrong=1
fi
encoding=$(psql -XAt -d "$db" -c "SELECT datcollate FROM pg_database WHERE datname = current_database()")
[ -n "$encoding" ] || wrong=1
reindexdb -d "$db" --table=orders --table=order_items
exit $wrong
