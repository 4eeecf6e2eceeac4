#!/bin/sh
pg_restore -Fc shop.dump > shop.sql
pg_restore -Fc -d shop shop.dump
pg_restore -Fc -f shop.sql shop.dump
createlang plperl shop
createdb shop
createuser --unencrypted web
initdb --xlogdir=/wal -D /data
initdb -X /wal -D /data2
psql shop -c "SELECT pg_switch_xlog()"
psql shop -c "SELECT pg_reload_conf()"
psql shop <<'SQL'
\pset format a
\pset format unaligned
SELECT relname FROM pg_class WHERE relhaspkey;
SELECT relname FROM pg_class WHERE relhasindex;
SQL
