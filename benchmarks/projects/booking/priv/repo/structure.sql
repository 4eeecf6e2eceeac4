SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE FUNCTION public.booking_touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END;
$$;

SET default_tablespace = '';
SET default_table_access_method = heap;

CREATE TABLE public.rooms (
    id bigint NOT NULL,
    name character varying(255) NOT NULL,
    floor integer,
    tags text[] DEFAULT '{}'::text[]
);

CREATE TABLE public.bookings (
    id bigint NOT NULL,
    room_id bigint NOT NULL,
    email character varying(255),
    kind character varying(255) DEFAULT 'guest'::character varying,
    during tstzrange NOT NULL,
    notice interval DEFAULT '01:00:00'::interval NOT NULL,
    inserted_at timestamp(0) without time zone NOT NULL,
    updated_at timestamp(0) without time zone NOT NULL
);

CREATE TABLE public.audit_entries (
    id bigint NOT NULL,
    action character varying(255) NOT NULL,
    system_user boolean DEFAULT false NOT NULL,
    inserted_at timestamp(0) without time zone NOT NULL
);

CREATE TABLE public.kiosk_leases (
    id bigint NOT NULL,
    address inet NOT NULL,
    during tstzrange NOT NULL
);

CREATE UNLOGGED TABLE public.room_searches (
    id bigint NOT NULL,
    term text NOT NULL,
    source inet,
    inserted_at timestamp(0) without time zone NOT NULL
);

CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    inserted_at timestamp(0) without time zone
);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_no_overlap EXCLUDE USING gist (room_id WITH =, during WITH &&);

ALTER TABLE ONLY public.kiosk_leases
    ADD CONSTRAINT kiosk_leases_no_overlap EXCLUDE USING gist (address WITH =, during WITH &&);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

CREATE INDEX room_searches_source_index ON public.room_searches USING gist (source inet_ops);

CREATE INDEX bookings_notice_index ON public.bookings USING btree (room_id, ((notice)::text));

CREATE TRIGGER bookings_touch BEFORE UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.booking_touch();

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id);

INSERT INTO public."schema_migrations" (version) VALUES (20211102101010);
INSERT INTO public."schema_migrations" (version) VALUES (20220214083000);
