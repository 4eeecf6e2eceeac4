#!/bin/bash
# Builds a standby of the primary $1 in an empty $PGDATA.
set -euo pipefail
primary=${1:?host of the primary}
PGDATA=${PGDATA:-/var/lib/postgresql/data}

pg_basebackup -h "$primary" -U replicator -D "$PGDATA" -X stream -c fast
printf "standby_mode = on\nprimary_conninfo = 'host=%s user=replicator'\nrecovery_target_timeline = 'latest'\n" "$primary" > "$PGDATA/recovery.conf"
chmod 600 "$PGDATA"/*.conf

# the load balancer shows the "recovering" page until the standby has caught up
ln -sf /etc/nginx/snippets/recovery.conf /etc/nginx/conf.d/fleet.conf
nginx -s reload

pg_ctl -D "$PGDATA" -w start
