\set ON_ERROR_STOP on
\set schema depot
CREATE SCHEMA :schema;
SET search_path = :schema, public;
CREATE EXTENSION ltree;
CREATE TABLE depot.item (id integer PRIMARY KEY, name text, path ltree, dims integer[], weight float8, price money, added timestamptz, moved abstime, oid_text text);
CREATE TABLE depot.bin (id integer, name text, added timestamptz, path ltree, price money);
CREATE FUNCTION depot.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$ SELECT md5(random()::text)::uuid $$;
CREATE FUNCTION depot.min_scale(numeric) RETURNS integer LANGUAGE sql AS $$ SELECT scale($1) $$;
CREATE SEQUENCE depot.bin_seq;
\i types.sql
\echo Set with WITH OIDS is not supported here
