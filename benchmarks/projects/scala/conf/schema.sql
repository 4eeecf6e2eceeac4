CREATE TABLE geo (id bigint PRIMARY KEY, at point, outline polygon, bounds box, ring circle, name text, raw text, doc xml, word text, made timestamptz, day date, num numeric, consrc text);
CREATE FUNCTION sinh(float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT (exp($1) - exp(-$1)) / 2';
CREATE FUNCTION sha256(bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION lcm(integer, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT $1 * $2';
CREATE FUNCTION trim_scale(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION twice(integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 * 2';
