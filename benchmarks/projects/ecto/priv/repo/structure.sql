CREATE TABLE posts (id bigint PRIMARY KEY, title text, body text, votes integer, up bit(8), words text[], made timestamptz, spent interval, hash bytea, conname text);
CREATE TABLE animals (id bigint, name text NOT NULL);
CREATE TABLE dogs (breed text) INHERITS (animals);
CREATE ROLE readers;
CREATE TABLE gauges (id bigint, at date) PARTITION BY RANGE (at);
CREATE FUNCTION bit_count(bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';
CREATE FUNCTION array_sort(anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS 'SELECT array(SELECT unnest($1) ORDER BY 1)';
CREATE FUNCTION casefold(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT lower($1)';
CREATE FUNCTION array_sort_desc(anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS 'SELECT array(SELECT unnest($1) ORDER BY 1 DESC)';
