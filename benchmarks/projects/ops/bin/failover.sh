#!/bin/bash
restore() {
    pg_standby /archive "$1" "$2"
}
pg_isready -q && exit 0
postmaster -D /srv/pg/data -p 5433 &
postgres -D /srv/pg/data -p 5434 &
postfix start # sends as postmaster
