CREATE TABLE members (
    id serial PRIMARY KEY,
    name text,
    joined date,
    born abstime,
    absence reltime,
    reltime_note text,
    fee float8
) WITHOUT OIDS;
CREATE TABLE old_members (id int) WITH OIDS;
CREATE FUNCTION greet(text) RETURNS text AS $$ SELECT 'hi ' || $1 $$ LANGUAGE sql WITH (isCachable);
CREATE FUNCTION greet2(text) RETURNS text AS $$ SELECT 'hi ' || $1 $$ LANGUAGE sql IMMUTABLE;
CREATE FUNCTION guard() RETURNS opaque AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE FUNCTION opaque_name(opaque text) RETURNS text AS $$ SELECT $1 $$ LANGUAGE sql;
CREATE INDEX members_name ON members USING hash (name);
CREATE INDEX members_joined ON members USING btree (joined);
