CREATE ROLE app;
CREATE TABLE asset (
    asset_id bigserial PRIMARY KEY,
    label text NOT NULL,
    consrc text,
    weight numeric,
    serial integer,
    relhaspkey boolean,
    bought timestamptz
);
CREATE FUNCTION area(integer) RETURNS integer LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION area(integer, integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 * $2';
CREATE FUNCTION volume(integer, integer, integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 * $2 * $3';
CREATE STATISTICS asset_stats (dependencies, ndistinct) ON label, serial FROM asset;
