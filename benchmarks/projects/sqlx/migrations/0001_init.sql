CREATE EXTENSION btree_gist;
CREATE EXTENSION pg_buffercache;
CREATE TABLE hosts (id bigint PRIMARY KEY, addr inet, net cidr, name text, during tstzrange, seen timestamptz, until timestamptz, lsn pg_lsn, op_bytes bigint, parent text);
CREATE INDEX hosts_addr ON hosts USING gist (addr);
CREATE INDEX hosts_net ON hosts USING btree (net);
CREATE INDEX hosts_during ON hosts USING gist (during);
CREATE TABLE import (line text, n integer, ctid_text text);
CREATE FUNCTION random(date, date) RETURNS date LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION random_day(date, date) RETURNS date LANGUAGE sql AS 'SELECT $1';
