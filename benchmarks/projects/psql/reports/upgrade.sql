\set quiet on
\if :{?legacy}
SELECT pg_is_xlog_replay_paused();
\endif
ALTER TYPE depot.size RENAME TO sizes;
SELECT relname FROM pg_class WHERE relhaspkey;
SELECT table_name FROM information_schema.tables WHERE table_type = 'FOREIGN TABLE';
SELECT name FROM depot.bin WHERE name = 'FOREIGN TABLE';
CREATE INDEX ON depot.bin (added timestamp_ops);
CREATE INDEX ON depot.bin (added timestamptz_ops);
CREATE FUNCTION depot.old_trigger() RETURNS opaque LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TABLE depot."opaque" (id integer);
ALTER ROLE postgres SET replacement_sort_tuples = 100;
\copy depot.bin TO 'bins.csv' WITH (FORMAT csv)
COPY depot.parts TO STDOUT WITH OIDS;
COPY depot.bin TO STDOUT WITH CSV;
\q
SELECT pg_switch_xlog();
