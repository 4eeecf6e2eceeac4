--
-- PostgreSQL database dump
--

-- Dumped from database version 11.22

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET default_with_oids = false;
CREATE SCHEMA billing;
CREATE TABLE billing.invoice (
    id bigint NOT NULL,
    no integer,
    issued timestamp with time zone,
    day date,
    total numeric,
    terms interval,
    words text,
    tags text[],
    place point,
    zone circle,
    state text DEFAULT 'pg_start_backup'::text
);
COMMENT ON TABLE billing.invoice IS 'see pg_constraint.consrc';
CREATE TYPE billing.period AS (days integer, opened interval);
CREATE FUNCTION billing.checks() RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
DECLARE
    row record;
BEGIN
    FOR row IN SELECT conname,
                      consrc
                 FROM pg_catalog.pg_constraint LOOP
        RETURN NEXT row.conname;
    END LOOP;
    -- consrc is what psql shows
    FOR row IN SELECT c.conname, pg_get_constraintdef(c.oid) AS consrc FROM pg_catalog.pg_constraint c WHERE c.contype = 'c' LOOP
        RETURN NEXT row.consrc;
    END LOOP;
END
$$;
CREATE FUNCTION billing.due(bigint) RETURNS numeric
    LANGUAGE plpgsql
    AS $_$
DECLARE
    hours numeric;
BEGIN
    EXECUTE 'SELECT extract(hour FROM day) FROM billing.invoice WHERE id = $1' INTO hours USING $1;
    RAISE NOTICE 'pg_is_in_backup() is %', hours;
    IF pg_is_in_backup() THEN
        RETURN 0;
    END IF;
    IF current_setting('server_version_num')::integer < 120000 THEN
        EXECUTE 'SELECT count(*) FROM pg_class WHERE relhasoids' INTO hours;
    END IF;
    PERFORM set_config('vacuum_cleanup_index_scale_factor', '0.1', true);
    PERFORM set_config('vacuum_cost_limit', '100', true);
    RETURN (SELECT factorial(5) FROM billing.invoice WHERE id = $1);
END
$_$;
CREATE FUNCTION billing.near(circle) RETURNS bigint
    LANGUAGE sql
    AS $_$
    SELECT count(*)
      FROM billing.invoice
     WHERE place @ $1
       AND words ~ '@'
$_$;
CREATE FUNCTION billing.rank(integer) RETURNS numeric
    LANGUAGE plpgsql
    AS $_$
BEGIN
    RETURN $1::bigint !;
END
$_$;
CREATE FUNCTION billing.sum_state(anyarray, anyelement) RETURNS anyarray
    LANGUAGE sql
    AS 'SELECT array_append($1, $2)';
CREATE AGGREGATE billing.gather(anyelement) (SFUNC = array_append, STYPE = anyarray);
CREATE AGGREGATE billing.gathered(anyelement) (SFUNC = billing.sum_state, STYPE = anyarray);
CREATE OPERATOR billing.!! (PROCEDURE = factorial, LEFTARG = bigint);
CREATE OPERATOR billing.!!! (PROCEDURE = factorial, RIGHTARG = bigint);
CREATE VIEW billing.ages AS
 SELECT invoice.id,
    date_part('day'::text, invoice.issued) AS age
   FROM billing.invoice;
CREATE VIEW billing.catalog AS
 SELECT a.adnum,
    d.stxndistinct
   FROM pg_attrdef a,
    pg_statistic_ext d;
CREATE INDEX invoice_terms ON billing.invoice USING btree (((terms)::text));
CREATE INDEX invoice_terms_days ON billing.invoice USING btree (justify_hours(terms));
CREATE FUNCTION billing.cursor_name() RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    c CURSOR FOR SELECT 1;
BEGIN
    OPEN c;
    RETURN c;
END
$$;
CREATE FUNCTION billing.fixed() RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    c CONSTANT refcursor := NULL;
BEGIN
    OPEN c FOR SELECT 1;
    RETURN c;
END
$$;
CREATE FUNCTION billing.typed(text) RETURNS boolean
    LANGUAGE sql
    AS $_$
    SELECT $1 IS OF (text)
$_$;
ALTER ROLE ALL SET work_mem = '8MB';
ALTER DATABASE postgres SET operator_precedence_warning = on;
