--
-- PostgreSQL database dump
--

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

--
-- Name: pg_stat_statements; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

--
-- Name: visit_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.visit_state AS ENUM (
    'planned',
    'done',
    'dropped'
);

--
-- Name: array_sort(anyarray); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.array_sort(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT array_agg(DISTINCT x ORDER BY x) FROM unnest($1) x WHERE x IS NOT NULL
$_$;

--
-- Name: casefold(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.casefold(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
  SELECT lower(btrim($1))
$_$;

--
-- Name: fold_name(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    AS $$
BEGIN
  RETURN regexp_replace(lower(name), '[^a-z0-9]+', ' ', 'g');
END
$$;

--
-- Name: species_key(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.species_key(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'public'
    AS $$
BEGIN
  RETURN btrim(fold_name(name));
END
$$;

--
-- Name: street_key(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.street_key(street text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    AS $$
BEGIN
  RETURN replace(fold_name(street), 'strasse', 'str');
END
$$;

--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  SELECT doc ->> key
$$;

--
-- Name: open_visit_page(integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_visit_page(crew integer) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
  visit_page CURSOR FOR
    SELECT v.id, v.tree_id, v.due_on FROM public.visits v WHERE v.crew_id = crew ORDER BY v.due_on, v.id;
BEGIN
  visit_page := 'visit_page';
  OPEN visit_page;
  RETURN visit_page;
END
$$;

--
-- Name: open_visit_queue(integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_visit_queue(crew integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  visit_queue CURSOR FOR
    SELECT v.id, v.tree_id FROM public.visits v
     WHERE v.crew_id = crew AND v.state = 'planned' ORDER BY v.due_on, v.id;
BEGIN
  OPEN visit_queue;
END
$$;

--
-- Name: vacuum_backlog(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.vacuum_backlog() RETURNS TABLE(relation text, phase text, dead bigint)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN QUERY
  SELECT p.relid::regclass::text,
         p.phase,
         p.num_dead_tuples
    FROM pg_catalog.pg_stat_progress_vacuum p
   WHERE p.datname = current_database();
END
$$;

--
-- Name: dead_rows(regclass); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.dead_rows(relation regclass) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  num_dead_tuples bigint;
BEGIN
  SELECT s.n_dead_tup INTO num_dead_tuples FROM pg_catalog.pg_stat_user_tables s WHERE s.relid = relation;
  RETURN coalesce(num_dead_tuples, 0);
END
$$;

--
-- Name: ensure_reading_partition(date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ensure_reading_partition(day date) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.sensor_readings FOR VALUES FROM (%L) TO (%L)',
    'sensor_readings_' || to_char(day, 'YYYYMMDD'), day, day + 1);
END
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: crews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crews (
    id integer NOT NULL,
    name text NOT NULL,
    parent integer,
    level integer DEFAULT 0 NOT NULL
);

--
-- Name: species; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.species (
    id integer NOT NULL,
    latin text NOT NULL,
    common text,
    native boolean DEFAULT false NOT NULL
);

--
-- Name: trees; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trees (
    id integer NOT NULL,
    species_id integer NOT NULL,
    street text NOT NULL,
    house_number text,
    planted_on date,
    girth_cm integer,
    radius_cm numeric GENERATED ALWAYS AS (round((girth_cm)::numeric / 6.2832, 1)) STORED,
    hazard_tags text[] DEFAULT '{}'::text[] NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

--
-- Name: visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.visits (
    id integer NOT NULL,
    tree_id integer NOT NULL,
    crew_id integer NOT NULL,
    due_on date NOT NULL,
    done_at timestamp with time zone,
    state public.visit_state DEFAULT 'planned'::public.visit_state NOT NULL,
    notes text DEFAULT ''::text NOT NULL,
    CONSTRAINT visits_done_check CHECK (((state <> 'done'::public.visit_state) OR (done_at IS NOT NULL)))
);

--
-- Name: import_rows; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.import_rows (
    batch text NOT NULL,
    line integer NOT NULL,
    raw text NOT NULL,
    imported_as text DEFAULT 'system_user'::text NOT NULL
);

--
-- Name: sensor_readings; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.sensor_readings (
    sensor text NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    moisture numeric(5,2) NOT NULL
)
PARTITION BY RANGE (measured_at);

--
-- Name: sensor_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sensor_days (
    sensor text NOT NULL,
    day date NOT NULL,
    moisture numeric(5,2) NOT NULL
)
PARTITION BY RANGE (day);

--
-- Name: sensor_days_2023; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sensor_days_2023 PARTITION OF public.sensor_days
FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');

--
-- Name: query_samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.query_samples (
    taken_at timestamp with time zone NOT NULL,
    label text NOT NULL,
    blk_read_time integer NOT NULL,
    checkpoints_req integer
);

--
-- Name: hazard_lists; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.hazard_lists AS
 SELECT t.id AS tree_id,
    array_to_string(public.array_sort(t.hazard_tags), ', '::text) AS hazards
   FROM public.trees t;

--
-- Name: street_totals; Type: MATERIALIZED VIEW; Schema: public; Owner: -
--

CREATE MATERIALIZED VIEW public.street_totals AS
 SELECT public.casefold(t.street) AS street,
    count(*) AS trees
   FROM public.trees t
  GROUP BY (public.casefold(t.street))
  WITH NO DATA;

ALTER TABLE ONLY public.crews
    ADD CONSTRAINT crews_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.species
    ADD CONSTRAINT species_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trees
    ADD CONSTRAINT trees_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX species_key_index ON public.species USING btree (public.species_key(latin));

CREATE UNIQUE INDEX street_totals_street_index ON public.street_totals USING btree (street);

CREATE INDEX trees_street_key_index ON public.trees USING btree (public.street_key(street));

CREATE INDEX visits_crew_id_due_on_index ON public.visits USING btree (crew_id, due_on);

ALTER TABLE ONLY public.crews
    ADD CONSTRAINT crews_parent_fkey FOREIGN KEY (parent) REFERENCES public.crews(id);

ALTER TABLE ONLY public.trees
    ADD CONSTRAINT trees_species_id_fkey FOREIGN KEY (species_id) REFERENCES public.species(id);

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_tree_id_fkey FOREIGN KEY (tree_id) REFERENCES public.trees(id);

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_crew_id_fkey FOREIGN KEY (crew_id) REFERENCES public.crews(id);

--
-- PostgreSQL database dump complete
--

CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    inserted_at timestamp(0) without time zone
);

INSERT INTO public."schema_migrations" (version) VALUES (20230611081500);
