CREATE TABLE accounts (id serial PRIMARY KEY, name text NOT NULL, parent integer, opened timestamptz);
CREATE TABLE measurements (at timestamptz, value float8);
CREATE TABLE measurements_2020 () INHERITS (measurements);
CREATE TABLE codes (code text, label text);
CREATE TABLE recent (id integer, name text, "bgwriter" text);
CREATE TABLE tree (name text, parent text, level integer);
CREATE ROLE reporting;
CREATE TABLE lookup (word text, norm text);
INSERT INTO lookup VALUES ('a', 'b');
INSERT INTO codes VALUES ('a', 'first'), ('b', 'second');
CREATE FUNCTION normal(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT norm FROM lookup WHERE word = $1);
END $$;
CREATE INDEX codes_normal ON codes (normal(label));
CREATE FUNCTION folded(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower($1);
END $$;
CREATE INDEX codes_folded ON codes (folded(label));
