SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;


CREATE FUNCTION public.tag_work_order() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.tag_ids IS NULL THEN
        NEW.tag_ids := '{}';
    END IF;
    IF NEW.priority > 3 AND NOT (7::bigint = ANY (NEW.tag_ids)) THEN
        NEW.tag_ids := array_append(NEW.tag_ids, 7::bigint);
    END IF;
    RETURN NEW;
END;
$$;


CREATE AGGREGATE public.array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);


SET default_tablespace = '';

SET default_with_oids = false;

CREATE TABLE public.audit_events (
    id bigint NOT NULL,
    action character varying NOT NULL,
    record_type character varying,
    record_id bigint,
    user_id bigint,
    system_user boolean DEFAULT false NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone NOT NULL
);

CREATE SEQUENCE public.audit_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.customers (
    id bigint NOT NULL,
    name character varying NOT NULL,
    slug character varying NOT NULL,
    kind character varying DEFAULT 'person'::character varying NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);

CREATE TABLE public.parts (
    id bigint NOT NULL,
    sku character varying NOT NULL,
    name character varying NOT NULL,
    properties public.hstore DEFAULT ''::public.hstore NOT NULL,
    stock integer DEFAULT 0 NOT NULL,
    lead_time interval,
    price_cents integer NOT NULL
);

CREATE TABLE public.work_orders (
    id bigint NOT NULL,
    customer_id bigint NOT NULL,
    title character varying NOT NULL,
    state character varying DEFAULT 'open'::character varying NOT NULL,
    priority integer DEFAULT 1 NOT NULL,
    tag_ids bigint[] DEFAULT '{}'::bigint[],
    due_on date,
    started_at timestamp without time zone,
    finished_at timestamp without time zone
);

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.parts
    ADD CONSTRAINT parts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.work_orders
    ADD CONSTRAINT work_orders_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX index_parts_on_sku ON public.parts USING btree (sku);

CREATE INDEX index_work_orders_on_customer_id ON public.work_orders USING btree (customer_id);

CREATE TRIGGER tag_work_order BEFORE INSERT OR UPDATE ON public.work_orders FOR EACH ROW EXECUTE PROCEDURE public.tag_work_order();

ALTER TABLE ONLY public.work_orders
    ADD CONSTRAINT fk_rails_work_orders_customer FOREIGN KEY (customer_id) REFERENCES public.customers(id);

SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20170302101500'),
('20200611083000'),
('20210914120000');
