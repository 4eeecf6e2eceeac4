CREATE FUNCTION json_value(json, text) RETURNS text LANGUAGE sql AS 'SELECT $1 ->> $2';
CREATE FUNCTION "json_query"(json, text) RETURNS json LANGUAGE sql AS 'SELECT $1 -> $2';
CREATE FUNCTION json_text(json, text) RETURNS text LANGUAGE sql AS 'SELECT $1 ->> $2';
CREATE FUNCTION array_reverse(anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS
    'SELECT array(SELECT $1[i] FROM generate_subscripts($1, 1) AS s(i) ORDER BY i DESC)';
-- The view of names; colliculocale was considered.
CREATE VIEW collations AS SELECT collname, collencoding FROM pg_collation;
