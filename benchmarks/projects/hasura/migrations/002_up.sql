CREATE RULE few_ins AS ON INSERT TO shop.few DO INSTEAD NOTHING;
CREATE TABLE shop.log (at timestamptz, what text);
CREATE FUNCTION shop.tagged(q lquery) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM shop.items WHERE path ~ q $$;
SELECT shop.tagged('a.*{1}.*{2}.b');
SELECT shop.tagged('a.*{3}.b');
CREATE PROCEDURAL LANGUAGE plpythonu;
CREATE TABLE shop.words (t text CHECK (t ~ '^[\w-z]+$'), u text CHECK (u ~ '^[\w.-]+$'));
CREATE TABLE shop.unpackaged (id int);
CREATE EXTENSION pg_trgm FROM unpackaged;
CREATE OR REPLACE FUNCTION shop.clean() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c CURSOR FOR SELECT id FROM shop.items;
BEGIN
    OPEN c;
    PERFORM shop.consume('c');
    CLOSE c;
END $$;
CREATE FUNCTION shop.consume(r refcursor) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM r;
END $$;
CREATE FUNCTION shop.clean_own() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c CURSOR FOR SELECT id FROM shop.items;
    n int;
BEGIN
END $$;
