--
-- PostgreSQL database dump
--

-- Dumped from database version 14.11
-- Dumped by pg_dump version 16.2

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
-- Name: route; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA route;


--
-- Name: parcel_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.parcel_state AS ENUM (
    'announced',
    'accepted',
    'in_transit',
    'delivered',
    'returned'
);


--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.json_value(doc jsonb, path text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  SELECT doc #>> pg_catalog.string_to_array(path, '/')
$$;


--
-- Name: array_sort(integer[]); Type: FUNCTION; Schema: route; Owner: -
--

CREATE FUNCTION route.array_sort(hubs integer[]) RETURNS integer[]
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT pg_catalog.array_agg(h ORDER BY h) FROM pg_catalog.unnest(hubs) AS h
$$;


--
-- Name: delay_ratio(interval[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.delay_ratio(state interval[]) RETURNS double precision
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT pg_catalog.date_part('epoch', state[1]) / 3600
$$;


--
-- Name: touch_parcel(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_parcel() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE public.parcels
     SET last_scan_at = NEW.scanned_at,
         updated_at = now()
   WHERE id = NEW.parcel_id
     AND (last_scan_at IS NULL OR last_scan_at < NEW.scanned_at);
  RETURN NULL;
END
$$;


--
-- Name: delay_hours(interval); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.delay_hours(interval) (
    SFUNC = interval_accum,
    STYPE = interval[],
    INITCOND = '{0 second,0 second}',
    FINALFUNC = public.delay_ratio
);


--
-- Name: total_delay(interval); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.total_delay(interval) (
    SFUNC = interval_pl,
    STYPE = interval
);


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: hubs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hubs (
    id integer NOT NULL,
    code character varying(8) NOT NULL,
    name text NOT NULL,
    city text,
    lat double precision,
    lon double precision
);


--
-- Name: legs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.legs (
    id bigint NOT NULL,
    from_hub integer NOT NULL,
    to_hub integer NOT NULL,
    transit_window interval NOT NULL,
    cutoff time without time zone,
    fallback interval
);


--
-- Name: parcels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.parcels (
    id bigint NOT NULL,
    label character varying(35) NOT NULL,
    state public.parcel_state DEFAULT 'announced'::public.parcel_state NOT NULL,
    manifest jsonb DEFAULT '{}'::jsonb NOT NULL,
    weight_g integer,
    hub_path integer[] DEFAULT '{}'::integer[] NOT NULL,
    last_scan_at timestamp without time zone,
    deliver_by timestamp without time zone,
    inserted_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL
);


--
-- Name: scan_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scan_events (
    id bigint NOT NULL,
    parcel_id bigint NOT NULL,
    hub_id integer,
    device text,
    "system_user" character varying(60),
    note text,
    scanned_at timestamp without time zone NOT NULL
)
PARTITION BY RANGE (scanned_at);


--
-- Name: scan_events_archive; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scan_events_archive (
    id bigint NOT NULL,
    parcel_id bigint NOT NULL,
    hub_id integer,
    device text,
    "system_user" character varying(60),
    note text,
    scanned_at timestamp without time zone NOT NULL
);


--
-- Name: scanners; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scanners (
    id integer NOT NULL,
    serial text NOT NULL,
    hub_id integer,
    wal_write bigint DEFAULT 0 NOT NULL,
    wal_sync bigint DEFAULT 0 NOT NULL,
    firmware text
);


--
-- Name: device_locks; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.device_locks (
    scanner_id integer NOT NULL,
    token uuid DEFAULT gen_random_uuid() NOT NULL,
    taken_at timestamp without time zone NOT NULL
);


--
-- Name: rules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rules (
    id integer NOT NULL,
    rule text NOT NULL,
    priority integer DEFAULT 100 NOT NULL,
    valid_for interval
);


--
-- Name: scan_events_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scan_events ATTACH PARTITION public.scan_events_archive DEFAULT;


ALTER TABLE ONLY public.hubs
    ADD CONSTRAINT hubs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.legs
    ADD CONSTRAINT legs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scanners
    ADD CONSTRAINT scanners_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (id);

--
-- Name: legs_transit_window_text_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX legs_transit_window_text_idx ON public.legs USING btree (((transit_window)::text) text_pattern_ops);


--
-- Name: legs_transit_seconds_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX legs_transit_seconds_idx ON public.legs USING btree (EXTRACT(epoch FROM transit_window));


--
-- Name: parcels_label_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX parcels_label_index ON public.parcels USING btree (label);

CREATE INDEX scan_events_parcel_id_index ON ONLY public.scan_events USING btree (parcel_id, scanned_at);


--
-- Name: scan_events scan_events_touch; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER scan_events_touch AFTER INSERT ON public.scan_events FOR EACH ROW EXECUTE FUNCTION public.touch_parcel();


ALTER TABLE ONLY public.legs
    ADD CONSTRAINT legs_from_hub_fkey FOREIGN KEY (from_hub) REFERENCES public.hubs(id);

ALTER TABLE ONLY public.legs
    ADD CONSTRAINT legs_to_hub_fkey FOREIGN KEY (to_hub) REFERENCES public.hubs(id);

--
-- PostgreSQL database dump complete
--
