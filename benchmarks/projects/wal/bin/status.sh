#!/usr/bin/env bash
psql -XAt postgres <<'SQL'
SELECT pid, state, sent_location FROM pg_stat_replication;
SELECT pid, state FROM pg_stat_replication;
SELECT pg_xlogfile_name(pg_current_xlog_location());
\echo pg_current_xlog_location is printed above
SQL
server=$(psql -XAtc "SHOW server_version_num")
if [ "$server" -ge 100000 ]; then
  psql -XAtc "SELECT pg_current_wal_lsn()"
else
  psql -XAtc "SELECT pg_current_xlog_location()"
fi
printf 'pg_switch_xlog was called\n'
psql -XAtc "SELECT pg_is_xlog_replay_paused()"
createlang plpgsql app
droplang --version
psql app -c "CREATE USER report UNENCRYPTED PASSWORD 'x'"
psql app -c "CREATE USER report2 PASSWORD 'x'"
pg_restore -l base.dump > list.txt
pg_restore base.dump > out.sql
pg_restore -f - base.dump > out2.sql
pg_restore -d app base.dump
