--
-- PostgreSQL database dump
--

-- Dumped from database version 12.22
-- Dumped by pg_dump version 12.22

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

--
-- Name: isbn13; Type: DOMAIN
--

CREATE DOMAIN public.isbn13 AS text
	CONSTRAINT isbn13_check CHECK ((VALUE ~ '^[0-9]{13}$'::text));

CREATE DOMAIN public.shelf_mark AS text
	CONSTRAINT shelf_mark_check CHECK ((VALUE !~ '\s'::text));

--
-- Functions
--

CREATE FUNCTION public.per_cent(share numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT $1 / 100 $_$;

CREATE FUNCTION public.loan_hours(since date) RETURNS TABLE(loan_id bigint, hour double precision)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN QUERY
        SELECT l.loan_id,
               extract(hour FROM l.lent_at)
          FROM public.loans l
         WHERE l.lent_at >= since;
END
$$;

CREATE FUNCTION public.is_late_hour(at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    h integer := extract(hour FROM at);
BEGIN
    RETURN h >= 20;
END
$$;

CREATE FUNCTION public.open_overdue() RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    overdue CURSOR FOR SELECT l.loan_id, l.reader_id FROM public.loans l WHERE l.due_on < CURRENT_DATE;
BEGIN
    -- callers FETCH ALL FROM overdue
    OPEN overdue;
    RETURN 'overdue';
END
$$;

CREATE FUNCTION public.open_loans(portal refcursor) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
BEGIN
    OPEN portal FOR SELECT l.loan_id FROM public.loans l WHERE l.returned_at IS NULL;
    RETURN portal;
END
$$;

CREATE FUNCTION public.count_overdue() RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    late CURSOR FOR SELECT l.loan_id FROM public.loans l WHERE l.due_on < CURRENT_DATE;
    n integer := 0;
BEGIN
    FOR one IN late LOOP
        n := n + 1;
    END LOOP;
    RETURN n;
END
$$;

CREATE FUNCTION public.next_card() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    state public.card_no_seq%ROWTYPE;
BEGIN
    SELECT * INTO state FROM public.card_no_seq;
    RETURN state.last_value + 1;
END
$$;

CREATE FUNCTION public.cards_issued() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    state record;
BEGIN
    SELECT * INTO state FROM public.card_no_seq;
    RETURN state.last_value;
END
$$;

CREATE FUNCTION public.digits_only(scan text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    -- scanners send several lines
    RETURN regexp_replace(scan, '(?n)\D+', '', 'g');
END
$_$;

CREATE FUNCTION public.letters_only(scan text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    RETURN regexp_replace(scan, '\W+', ' ', 'g');
END
$_$;

CREATE FUNCTION public.fold(word text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT lower(btrim($1)) $_$;

CREATE FUNCTION public.sort_title(title text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    RETURN fold(regexp_replace(title, '^(the|a|an) ', '', 'i'));
END
$_$;

CREATE FUNCTION public.sort_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    RETURN fold(name);
END
$_$;

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END
$$;

CREATE FUNCTION public.array_append(list text[], item text, separator text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT $1 || ($2 || $3) $_$;

--
-- Aggregates
--

CREATE AGGREGATE public.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE AGGREGATE public.collect_marked(text, text) (
    SFUNC = public.array_append,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE AGGREGATE public.mean_loan(interval) (
    SFUNC = interval_accum,
    STYPE = interval[],
    FINALFUNC = interval_avg,
    INITCOND = '{0 second,0 second}'
);

CREATE AGGREGATE public.total_loan(interval) (
    SFUNC = interval_pl,
    STYPE = interval,
    INITCOND = '0'
);

--
-- Operators
--

CREATE OPERATOR public.%% (
    PROCEDURE = public.per_cent,
    LEFTARG = numeric
);

CREATE OPERATOR public.@% (
    PROCEDURE = public.per_cent,
    RIGHTARG = numeric
);

CREATE OPERATOR FAMILY public.network_ops USING btree;

CREATE OPERATOR CLASS public.network_ops
    FOR TYPE inet USING btree FAMILY public.network_ops AS
    OPERATOR 1 <(inet,inet) ,
    OPERATOR 2 <=(inet,inet) ,
    OPERATOR 3 =(inet,inet) ,
    OPERATOR 4 >=(inet,inet) ,
    OPERATOR 5 >(inet,inet) ,
    FUNCTION 1 (inet, inet) network_cmp(inet,inet);

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Tables
--

CREATE SEQUENCE public.card_no_seq
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.books (
    book_id bigint NOT NULL,
    isbn public.isbn13,
    title text NOT NULL,
    shelf public.shelf_mark,
    copies integer DEFAULT 1 NOT NULL,
    loan_period interval DEFAULT '28 days'::interval NOT NULL,
    attributes public.hstore,
    changed_at timestamp with time zone
);

CREATE TABLE public.readers (
    reader_id bigint NOT NULL,
    name text NOT NULL,
    card_no bigint DEFAULT nextval('public.card_no_seq'::regclass) NOT NULL,
    last_address inet
);

CREATE TABLE public.loans (
    loan_id bigint NOT NULL,
    book_id bigint NOT NULL,
    reader_id bigint NOT NULL,
    lent_at timestamp with time zone DEFAULT now() NOT NULL,
    due_on date NOT NULL,
    returned_at timestamp with time zone
);

CREATE TABLE public.visits (
    visit_id bigint NOT NULL,
    branch text NOT NULL,
    visited_at timestamp with time zone NOT NULL
);

CREATE TABLE public.visits_2021 (
    CONSTRAINT visits_2021_check CHECK ((visited_at >= '2021-01-01 00:00:00+00'::timestamp with time zone))
)
INHERITS (public.visits);

CREATE TABLE public.visits_2022 (
    CONSTRAINT visits_2022_check CHECK ((visited_at >= '2022-01-01 00:00:00+00'::timestamp with time zone))
)
INHERITS (public.visits);

CREATE TABLE public.shelf_plan (
    shelf text,
    attcacheoff integer
);

CREATE TABLE public.overdue_books (
    book_id bigint,
    title text
);

--
-- Views and rules
--

CREATE VIEW public.loans_by_hour AS
 SELECT date_part('hour'::text, loans.lent_at) AS hour,
    count(*) AS loans
   FROM public.loans
  GROUP BY (date_part('hour'::text, loans.lent_at));

CREATE RULE "_RETURN" AS
    ON SELECT TO public.overdue_books DO INSTEAD
 SELECT b.book_id, b.title
   FROM (public.books b
     JOIN public.loans l USING (book_id))
  WHERE (l.due_on < CURRENT_DATE);

CREATE RULE shelf_plan_protect AS
    ON DELETE TO public.shelf_plan DO INSTEAD NOTHING;

--
-- Constraints, indexes, triggers
--

ALTER TABLE ONLY public.books ADD CONSTRAINT books_pkey PRIMARY KEY (book_id);
ALTER TABLE ONLY public.readers ADD CONSTRAINT readers_pkey PRIMARY KEY (reader_id);
ALTER TABLE ONLY public.loans ADD CONSTRAINT loans_pkey PRIMARY KEY (loan_id);

CREATE INDEX books_period_idx ON public.books USING btree (((loan_period)::text));
CREATE INDEX books_copies_idx ON public.books USING btree (((copies)::text));
CREATE INDEX books_sort_title_idx ON public.books USING btree (public.sort_title(title));
CREATE INDEX readers_sort_name_idx ON public.readers USING btree (public.sort_name(name));
CREATE INDEX readers_address_idx ON public.readers USING btree (last_address public.network_ops);
CREATE INDEX books_title_trgm_idx ON public.books USING gist (title public.gist_trgm_ops);

CREATE TRIGGER books_touch BEFORE UPDATE ON public.books FOR EACH ROW EXECUTE FUNCTION public.touch();
