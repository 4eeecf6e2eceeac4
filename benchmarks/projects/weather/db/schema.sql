--
-- PostgreSQL database dump
--

-- Dumped from database version 10.17
-- Dumped by pg_dump version 10.17

SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: quality; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.quality AS ENUM (
    'raw',
    'suspect',
    'good'
);


--
-- Name: append_code(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.append_code(state text, code text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN state = '' THEN code ELSE state || ',' || code END
$$;


--
-- Name: dew_point(numeric, numeric); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.dew_point(temp numeric, humidity numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  SELECT pg_catalog.round(temp - (100 - humidity) / 5, 1)
$$;


--
-- Name: dew_point(integer, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.dew_point(temp integer, humidity integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  SELECT public.dew_point(temp::numeric, humidity::numeric)
$$;


--
-- Name: heat_index(numeric, numeric); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.heat_index(temp numeric, humidity numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT pg_catalog.round(0.5 * (temp + 61.0 + (temp - 68.0) * 1.2 + humidity * 0.094), 1)
$$;


--
-- Name: stamp_reading(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.stamp_reading() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.dew_point IS NULL THEN
    NEW.dew_point := public.dew_point(NEW.temperature, NEW.humidity);
  END IF;
  RETURN NEW;
END
$$;


--
-- Name: list_of(anyelement); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.list_of(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);


--
-- Name: code_list(text); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.code_list(text) (
    SFUNC = public.append_code,
    STYPE = text,
    INITCOND = ''
);


SET default_tablespace = '';

SET default_with_oids = false;

--
-- Name: stations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stations (
    id integer NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    contact text,
    location point NOT NULL,
    altitude integer,
    notes text,
    since date
);


--
-- Name: readings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.readings (
    id bigint NOT NULL,
    station_id integer NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    temperature numeric(5,1),
    humidity numeric(4,1),
    dew_point numeric(5,1),
    pressure numeric(6,1),
    wind_dir integer,
    wind_speed numeric(5,1),
    quality public.quality DEFAULT 'raw'::public.quality NOT NULL
);


--
-- Name: daily; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.daily (
    station_id integer NOT NULL,
    day date NOT NULL,
    t_min numeric(5,1),
    t_max numeric(5,1),
    rain numeric(6,1),
    sunshine integer
);


--
-- Name: packets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.packets (
    id bigint NOT NULL,
    station_code text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    reltime integer,
    pressure text,
    rain text,
    body xml
);


--
-- Name: modem_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.modem_log (
    modem integer NOT NULL,
    dialed abstime NOT NULL,
    seconds integer
);


--
-- Name: power; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.power (
    station_id integer NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    consrc text,
    millivolts integer
);


ALTER TABLE ONLY public.stations
    ADD CONSTRAINT stations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.daily
    ADD CONSTRAINT daily_pkey PRIMARY KEY (station_id, day);

ALTER TABLE ONLY public.packets
    ADD CONSTRAINT packets_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX stations_code_key ON public.stations USING btree (code);

CREATE INDEX stations_location_idx ON public.stations USING gist (location);

CREATE INDEX readings_station_idx ON public.readings USING btree (station_id, observed_at);

CREATE TRIGGER readings_stamp BEFORE INSERT ON public.readings FOR EACH ROW EXECUTE PROCEDURE public.stamp_reading();

ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_station_id_fkey FOREIGN KEY (station_id) REFERENCES public.stations(id);

--
-- PostgreSQL database dump complete
--
