-- +goose Up
CREATE EXTENSION pg_stat_statements;
CREATE TABLE devices (
    id bigserial PRIMARY KEY,
    name text NOT NULL,
    kind "char",
    addr inet,
    facts jsonb,
    seen timestamptz,
    seen_on date,
    lat float8,
    lon float8,
    width integer,
    height integer
);
CREATE FUNCTION gcd(integer, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
    'SELECT CASE WHEN $2 = 0 THEN abs($1) ELSE public.gcd($2, $1 % $2) END';
CREATE FUNCTION lcm_of(integer, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
    'SELECT abs($1 * $2) / public.gcd($1, $2)';
-- +goose Down
DROP TABLE devices;
