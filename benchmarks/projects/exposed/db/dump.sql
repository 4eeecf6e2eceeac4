--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET default_with_oids = false;

CREATE SCHEMA library;

CREATE FUNCTION library.bump() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.version := new.version + 1;
  return new;
end $$;

CREATE FUNCTION library.age_in_years(born date) RETURNS integer
    LANGUAGE sql STABLE
    AS $$ select extract(year from age(born))::integer $$;

CREATE FUNCTION library.hours(d date) RETURNS double precision
    LANGUAGE sql STABLE
    AS $$ select date_part('hour', d) $$;

CREATE FUNCTION library.months(t text) RETURNS interval
    LANGUAGE sql STABLE
    AS $$ select interval '1.99 years' $$;

CREATE FUNCTION library.first_of(anyarray) RETURNS anyelement
    LANGUAGE sql IMMUTABLE
    AS $_$ select $1[1] $_$;

CREATE AGGREGATE library.all_of(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray
);

CREATE TABLE library.books (
    id integer NOT NULL,
    title text NOT NULL,
    bought date,
    span interval,
    tags text[] DEFAULT '{}'::text[],
    version integer DEFAULT 1 NOT NULL,
    kind "char" DEFAULT 'b'::"char"
);

CREATE TABLE library.loans (
    id integer NOT NULL,
    book_id integer,
    span_text text GENERATED ALWAYS AS ((id)::text || 'd') STORED
);

CREATE VIEW library.recent AS
 SELECT books.id,
    date_part('epoch'::text, (now() - (books.bought)::timestamp with time zone)) AS age
   FROM library.books;

CREATE VIEW library.tagged AS
 SELECT books.id, (books.tags || 'x'::text) AS tags FROM library.books;

ALTER TABLE ONLY library.books ADD CONSTRAINT books_pkey PRIMARY KEY (id);
CREATE TRIGGER bump BEFORE UPDATE ON library.books FOR EACH ROW EXECUTE PROCEDURE library.bump();
CREATE INDEX books_words ON library.books USING gin (to_tsvector('simple'::regconfig, title));
