--
-- PostgreSQL database dump
--

-- Dumped from database version 13.16
-- Dumped by pg_dump version 13.16

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA metering;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: metering
--

CREATE FUNCTION metering.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT nullif(doc ->> key, '')
$$;

CREATE FUNCTION metering.join_registers(acc integer[], more integer[]) RETURNS integer[]
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN acc IS NULL THEN more ELSE acc || more END
$$;

--
-- Name: peak_start(date); Type: FUNCTION; Schema: metering
--

CREATE FUNCTION metering.peak_start(day date) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'Asia/Kolkata'
    AS $$
BEGIN
    -- evening peak of the settlement calendar
    RETURN (day::text || ' 18:00 IST')::timestamptz;
END
$$;

CREATE FUNCTION metering.peak_end(day date) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (day::text || ' 22:00 Asia/Kolkata')::timestamptz;
END
$$;

--
-- Name: registers_agg(integer[]); Type: AGGREGATE; Schema: metering
--

CREATE AGGREGATE metering.registers_agg(integer[]) (
    SFUNC = metering.join_registers,
    STYPE = integer[]
);

CREATE AGGREGATE metering.flatten_agg(anyarray) (
    SFUNC = array_cat,
    STYPE = anyarray,
    INITCOND = '{}'
);

SET default_table_access_method = heap;

CREATE TABLE metering.sites (
    id bigint NOT NULL,
    code text NOT NULL,
    "system_user" text,
    outline polygon,
    inserted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE metering.meters (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    serial text NOT NULL,
    location point NOT NULL,
    state smallint DEFAULT 1 NOT NULL,
    phase_1and2 boolean DEFAULT false NOT NULL,
    registers integer[] DEFAULT '{}'::integer[] NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    installed_on date NOT NULL,
    calibrated_at timestamp with time zone
);

CREATE SEQUENCE metering.meters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE metering.meters_id_seq OWNED BY metering.meters.id;

CREATE TABLE metering.gateways (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    address inet NOT NULL,
    mac macaddr,
    leased tstzrange DEFAULT tstzrange(now(), NULL) NOT NULL
);

CREATE TABLE metering.tariff_periods (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    name text NOT NULL,
    valid daterange NOT NULL,
    rate numeric(10,5) NOT NULL
);

CREATE TABLE metering.alert_rules (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    rule text NOT NULL,
    severity smallint DEFAULT 2 NOT NULL
);

CREATE TABLE metering.db_samples (
    taken_at timestamp with time zone DEFAULT now() NOT NULL,
    node text NOT NULL,
    checkpoints_timed bigint,
    num_dead_tuples bigint
);

--
-- Name: meter_readings; Type: TABLE; Schema: metering; partitioned by month
--

CREATE TABLE metering.meter_readings (
    meter_id bigint NOT NULL,
    taken_at timestamp with time zone NOT NULL,
    kwh numeric(12,4) NOT NULL,
    quality smallint DEFAULT 0 NOT NULL,
    source text DEFAULT 'amr'::text NOT NULL
)
PARTITION BY RANGE (taken_at);

CREATE TABLE metering.meter_readings_2024_11 PARTITION OF metering.meter_readings
    FOR VALUES FROM ('2024-11-01 00:00:00+00') TO ('2024-12-01 00:00:00+00');

CREATE TABLE metering.meter_readings_2024_12 PARTITION OF metering.meter_readings
    FOR VALUES FROM ('2024-12-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');

CREATE TABLE metering.meter_readings_default PARTITION OF metering.meter_readings DEFAULT;

--
-- The archive of the old platform still uses inheritance.
--

CREATE TABLE metering.archived_readings (
    meter_id bigint NOT NULL,
    taken_on date NOT NULL,
    kwh numeric(12,4) NOT NULL
);

CREATE TABLE metering.archived_readings_2018 (
    CONSTRAINT archived_readings_2018_check CHECK (taken_on >= '2018-01-01' AND taken_on < '2019-01-01')
)
INHERITS (metering.archived_readings);

CREATE TABLE metering.archived_readings_2019 (
    CONSTRAINT archived_readings_2019_check CHECK (taken_on >= '2019-01-01' AND taken_on < '2020-01-01')
)
INHERITS (metering.archived_readings);

ALTER TABLE ONLY metering.meters ALTER COLUMN id SET DEFAULT nextval('metering.meters_id_seq'::regclass);

ALTER TABLE ONLY metering.sites ADD CONSTRAINT sites_pkey PRIMARY KEY (id);
ALTER TABLE ONLY metering.meters ADD CONSTRAINT meters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY metering.gateways ADD CONSTRAINT gateways_pkey PRIMARY KEY (id);
ALTER TABLE ONLY metering.alert_rules ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY metering.tariff_periods ADD CONSTRAINT tariff_periods_pkey PRIMARY KEY (id);
ALTER TABLE ONLY metering.meter_readings ADD CONSTRAINT meter_readings_pkey PRIMARY KEY (meter_id, taken_at);

ALTER TABLE ONLY metering.gateways
    ADD CONSTRAINT gateways_one_lease EXCLUDE USING gist (address WITH =, leased WITH &&);

ALTER TABLE ONLY metering.tariff_periods
    ADD CONSTRAINT tariff_periods_no_overlap EXCLUDE USING gist (site_id WITH =, valid WITH &&);

CREATE INDEX gateways_address_index ON metering.gateways USING btree (address);
CREATE INDEX meters_location_index ON metering.meters USING gist (location);
CREATE UNIQUE INDEX meters_serial_index ON metering.meters USING btree (serial);
CREATE INDEX archived_readings_2019_taken_on ON metering.archived_readings_2019 USING btree (taken_on);

ALTER TABLE ONLY metering.meters
    ADD CONSTRAINT meters_site_id_fkey FOREIGN KEY (site_id) REFERENCES metering.sites(id);
ALTER TABLE ONLY metering.gateways
    ADD CONSTRAINT gateways_site_id_fkey FOREIGN KEY (site_id) REFERENCES metering.sites(id);

CREATE TABLE metering.schema_migrations (
    version bigint NOT NULL,
    inserted_at timestamp(0) without time zone
);

ALTER TABLE ONLY metering.schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

INSERT INTO metering.schema_migrations (version, inserted_at) VALUES (20240902081500, '2024-09-02 08:20:11');
INSERT INTO metering.schema_migrations (version, inserted_at) VALUES (20241014093000, '2024-10-14 09:31:40');
