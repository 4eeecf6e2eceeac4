SET statement_timeout = 0;
SET standard_conforming_strings = on;
CREATE SCHEMA shop;
CREATE FUNCTION public.fact(bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT factorial($1)';
CREATE OPERATOR public.!! (LEFTARG = bigint, PROCEDURE = public.fact);
CREATE OPERATOR public.!@# (RIGHTARG = bigint, PROCEDURE = public.fact);
CREATE AGGREGATE public.collect(anyelement) (SFUNC = array_append, STYPE = anyarray, INITCOND = '{}');
CREATE AGGREGATE public.total(integer) (SFUNC = int4pl, STYPE = integer, INITCOND = '0');
CREATE TABLE public.carts (
    id bigint PRIMARY KEY,
    code text,
    tenant text,
    tag_list text[],
    system_user text,
    created_at timestamp without time zone
);
CREATE TABLE public.buyers (id bigint PRIMARY KEY, code text, tenant text, lasts interval, valid_on date, created_at timestamp without time zone);
CREATE TABLE public.notes (id bigint, body text, at date) PARTITION BY RANGE (at);
CREATE TABLE public.notes_2020 PARTITION OF public.notes FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE VIEW public.codes AS SELECT id, code FROM public.buyers;
CREATE FUNCTION public.regexp_like(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 ~ $2';
CREATE FUNCTION public.normalize(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT lower(trim($1))';
CREATE FUNCTION public.next_buyer() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    listed CURSOR FOR SELECT id FROM buyers ORDER BY id;
    result bigint;
BEGIN
    OPEN listed;
    FETCH listed INTO result;
    RETURN result;
END $$;
CREATE FUNCTION public.open_buyers() RETURNS refcursor LANGUAGE plpgsql AS $$
DECLARE
    listed CURSOR FOR SELECT id FROM buyers ORDER BY id;
BEGIN
    OPEN listed;
    RETURN listed;
END $$;
CREATE SEQUENCE public.ticket_seq;
CREATE FUNCTION public.ticket(public.ticket_seq) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
