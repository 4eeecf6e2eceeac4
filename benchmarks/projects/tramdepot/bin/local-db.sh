#!/bin/bash
# a server for tests of the migrations, without Docker
set -euo pipefail

bindir=${PGBIN:-/usr/lib/postgresql/15/bin}
data=${1:-/tmp/tramdepot-db}
port=${2:-5499}

if [ -f "$data/postmaster.pid" ]; then
    "$bindir/pg_ctl" -D "$data" -m fast stop
fi

case ${MODE:-foreground} in
    background)
        "$bindir/pg_ctl" -D "$data" -o "-p $port -k $data" -l "$data/postmaster.log" start
        ;;
    single)
        "$bindir/postgres" --single -D "$data" tramdepot
        ;;
    *)
        echo "starting the postmaster on port $port"
        exec "$bindir/postmaster" -D "$data" -p "$port" -k "$data"
        ;;
esac
