--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

CREATE FUNCTION public.raise_statistics_targets(wanted integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    col record;
    changed integer := 0;
BEGIN
    FOR col IN
        SELECT a.attrelid::regclass AS tbl, a.attname
          FROM pg_attribute a
          JOIN pg_index i ON i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey)
         WHERE a.attstattarget = -1
           AND NOT i.indisunique
           AND a.attrelid >= 16384
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', col.tbl, col.attname, wanted);
        changed := changed + 1;
    END LOOP;
    RETURN changed;
END
$$;

CREATE FUNCTION public.json_value(doc jsonb, path text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT doc #>> string_to_array(path, '.') $$;

CREATE TABLE public.accounts (
    id bigserial PRIMARY KEY,
    email character varying(255) NOT NULL,
    email_hash text GENERATED ALWAYS AS (md5(lower((email)::text))) STORED,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    inserted_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL
);

CREATE TABLE public.audit_events (
    id bigserial PRIMARY KEY,
    account_id bigint REFERENCES public.accounts(id),
    action character varying(255) NOT NULL,
    "system_user" character varying(255),
    payload jsonb,
    inserted_at timestamp without time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.berths (
    id bigserial PRIMARY KEY,
    name character varying(255) NOT NULL,
    turnaround interval NOT NULL,
    inserted_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL
);

CREATE TABLE public.bookings (
    id bigserial PRIMARY KEY,
    berth_id bigint NOT NULL REFERENCES public.berths(id),
    account_id bigint NOT NULL REFERENCES public.accounts(id),
    starts_at timestamp without time zone NOT NULL,
    ends_at timestamp without time zone NOT NULL,
    price numeric(12,2) NOT NULL,
    inserted_at timestamp without time zone NOT NULL,
    updated_at timestamp without time zone NOT NULL
);

CREATE TABLE public.vacuum_samples (
    id bigserial PRIMARY KEY,
    relname text NOT NULL,
    num_dead_tuples bigint NOT NULL,
    blk_read_time double precision,
    taken_at timestamp without time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_migrations (
    version bigint NOT NULL PRIMARY KEY,
    inserted_at timestamp(0) without time zone
);

CREATE INDEX bookings_berth_id_starts_at_index ON public.bookings USING btree (berth_id, starts_at);

INSERT INTO public."schema_migrations" (version) VALUES (20210301090000);
INSERT INTO public."schema_migrations" (version) VALUES (20220614101500);
