--
-- PostgreSQL database dump
--
-- Dumped from database version 13.16
-- Dumped by pg_dump version 13.16

SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;

CREATE SCHEMA harbor;

CREATE FUNCTION harbor.json_exists(doc jsonb, key text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT $1 ? $2 $_$;

COMMENT ON FUNCTION harbor.json_exists(doc jsonb, key text) IS 'polyfill, keep until everybody is on 17';

CREATE TABLE harbor.vessels (
    vessel_id integer NOT NULL,
    imo_number text NOT NULL,
    name text NOT NULL,
    gross_tonnage numeric(12,2),
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    registered_on date NOT NULL
);

CREATE TABLE harbor.berths (
    berth_id integer NOT NULL,
    code text NOT NULL,
    max_length_m integer NOT NULL,
    open_from timestamp with time zone
);

CREATE TABLE harbor.bookings (
    booking_id bigint NOT NULL,
    vessel_id integer NOT NULL,
    berth_id integer NOT NULL,
    arrives_at timestamp with time zone NOT NULL,
    departs_at timestamp with time zone,
    booked_on date DEFAULT CURRENT_DATE NOT NULL,
    remarks text
);

CREATE TABLE harbor.cargo_items (
    cargo_id bigint NOT NULL,
    booking_id bigint NOT NULL,
    sku text NOT NULL,
    weight_kg integer NOT NULL,
    hazardous boolean DEFAULT false NOT NULL,
    crates integer DEFAULT 1 NOT NULL
);

CREATE TABLE harbor.sessions (
    session_id uuid NOT NULL,
    "system_user" text,
    opened_at timestamp with time zone DEFAULT now() NOT NULL
);

-- filled by the collector; mirrors what the old servers called these
CREATE TABLE harbor.bgwriter_samples (
    sampled_at timestamp with time zone NOT NULL,
    node text NOT NULL,
    checkpoints_timed bigint,
    buffers_backend bigint
);

ALTER TABLE ONLY harbor.vessels ADD CONSTRAINT vessels_pkey PRIMARY KEY (vessel_id);
ALTER TABLE ONLY harbor.berths ADD CONSTRAINT berths_pkey PRIMARY KEY (berth_id);
ALTER TABLE ONLY harbor.bookings ADD CONSTRAINT bookings_pkey PRIMARY KEY (booking_id);
ALTER TABLE ONLY harbor.cargo_items ADD CONSTRAINT cargo_items_pkey PRIMARY KEY (cargo_id);
ALTER TABLE ONLY harbor.bookings
    ADD CONSTRAINT bookings_vessel_fkey FOREIGN KEY (vessel_id) REFERENCES harbor.vessels(vessel_id);

CREATE INDEX bookings_arrives_idx ON harbor.bookings USING btree (arrives_at);

CREATE VIEW harbor.stay_hours AS
 SELECT b.booking_id,
    (date_part('epoch'::text, (b.departs_at - b.arrives_at)) / (3600)::double precision) AS hours
   FROM harbor.bookings b;
