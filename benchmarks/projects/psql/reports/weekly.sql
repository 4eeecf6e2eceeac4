-- SELECT pg_current_xlog_location();
\set since 2020-01-01
\echo pg_switch_xlog() is called at the end
SELECT id FROM depot.bin WHERE added > :'since';
SELECT pg_current_xlog_location();
SELECT pg_xlogfile_name('0/1000000'::pg_lsn) AS file \gset
\echo :file
SELECT slot_name,
       slot_type,
       restart_lsn
  FROM pg_replication_slots;
SELECT application_name, replay_location FROM pg_stat_replication;
SELECT location, xid FROM pg_logical_slot_get_changes('feed', NULL, 10);
SELECT last_value, is_called FROM depot.bin_seq;
SELECT max_value, last_value FROM depot.bin_seq;
SELECT depot.gen_random_uuid() FROM depot.bin;
SELECT name FROM depot.bin WHERE path ~ '*.!a';
SELECT name FROM depot.bin WHERE path ~ '*.a.b';
SELECT name FROM depot.bin WHERE path ~ 'top.*{2}.*{1}';
SELECT tmplname, tmpltrusted FROM pg_pltemplate;
SELECT lanname, lanpltrusted FROM pg_language;
SELECT to_date('2020-02-30', 'YYYY-MM-DD');
SELECT to_date('2020-02-28', 'YYYY-MM-DD');
SELECT to_timestamp('2020-13-01', 'YYYY-MM-DD');
SELECT to_char(added, 'TZH') FROM depot.bin;
SELECT to_char(added, 'TZ') FROM depot.bin;
SELECT to_char(added, 'HH24:MI:SS.FF3') FROM depot.bin;
SELECT to_char(added, 'HH24:MI:SS.MS') FROM depot.bin;
SELECT to_char(added, '"FF3" HH24') FROM depot.bin;
SELECT price / 3::bigint FROM depot.bin;
SELECT price / 3::float8 FROM depot.bin;
SELECT generate_series(1, 2), generate_series(1, 3);
SELECT generate_series(1, 3), generate_series(1, 3);
