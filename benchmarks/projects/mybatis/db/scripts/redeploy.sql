DROP FUNCTION IF EXISTS area;
DROP FUNCTION IF EXISTS volume;
CREATE TABLE import_rows (line text) WITH OIDS;
CREATE TABLE export_rows (line text) WITHOUT OIDS;
CREATE LANGUAGE 'plperl';
SELECT count(*) FROM pg_class WHERE relacl ~ 'app=r/app'::aclitem;
SELECT count(*) FROM asset WHERE label ~ 'app';
SELECT a.pid FROM pg_stat_activity a
  JOIN pg_stat_ssl s ON s.pid = a.pid
 WHERE NOT s.ssl;
SELECT a.pid FROM pg_stat_activity a WHERE a.client_addr IS NULL;
