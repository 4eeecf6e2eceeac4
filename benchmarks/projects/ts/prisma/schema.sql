CREATE TABLE "User" (id serial PRIMARY KEY, email text NOT NULL, "system_user" text, meta jsonb, "createdAt" timestamptz, lasts interval);
CREATE TABLE "Tenant" (id serial PRIMARY KEY, lc_ctype text, colliculocale text, data bytea);
CREATE TABLE fruits (id integer, name text NOT NULL);
CREATE TABLE apples (kind text) INHERITS (fruits);
CREATE ROLE web;
CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
CREATE FUNCTION crc32(bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';
CREATE FUNCTION xmltext(text) RETURNS xml LANGUAGE sql IMMUTABLE AS 'SELECT ''<x/>''::xml';
CREATE FUNCTION json_scalar_text(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
