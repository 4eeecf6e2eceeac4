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

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;

CREATE FUNCTION public.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT doc ->> key $$;

CREATE FUNCTION public.log_order_source() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO public.order_sources (order_id, campaign)
    VALUES (NEW.id, json_value(NEW.meta, 'campaign'));
    RETURN NEW;
END;
$$;

CREATE FUNCTION public.search_key(value text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT lower(unaccent(value)) $$;

CREATE FUNCTION public.slugify(value text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT trim(both '-' from regexp_replace(lower(value), '[^a-z0-9]+', '-', 'g')) $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.customers (
    id bigint NOT NULL,
    email character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    last_seen_at timestamp(0) without time zone,
    created_at timestamp(0) without time zone
);

CREATE TABLE public.db_samples (
    id bigint NOT NULL,
    taken_at timestamp(0) without time zone DEFAULT now() NOT NULL,
    checkpoints_timed bigint NOT NULL,
    wal_bytes numeric NOT NULL,
    sessions_waiting integer NOT NULL
);

CREATE TABLE public.migrations (
    id integer NOT NULL,
    migration character varying(255) NOT NULL,
    batch integer NOT NULL
);

CREATE TABLE public.orders (
    id bigint NOT NULL,
    customer_id bigint NOT NULL,
    status character varying(32) DEFAULT 'new'::character varying NOT NULL,
    total numeric(12,2) NOT NULL,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    placed_at timestamp(0) without time zone NOT NULL
);

CREATE TABLE public.order_sources (
    order_id bigint NOT NULL,
    campaign text
);

CREATE UNLOGGED TABLE public.page_views (
    product_id bigint NOT NULL,
    session_id uuid NOT NULL,
    viewed_at timestamp without time zone NOT NULL
)
PARTITION BY RANGE (viewed_at);

CREATE TABLE public.products (
    id bigint NOT NULL,
    name character varying(255) NOT NULL,
    price numeric(10,2) NOT NULL,
    active boolean DEFAULT true NOT NULL
);

CREATE UNLOGGED TABLE public.sessions (
    id character varying(255) NOT NULL,
    user_id bigint,
    payload text NOT NULL,
    last_activity integer NOT NULL
);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

CREATE TRIGGER log_order_source AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.log_order_source();

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_customer_id_foreign FOREIGN KEY (customer_id) REFERENCES public.customers(id);
