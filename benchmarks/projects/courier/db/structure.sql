SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;

CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT doc #>> string_to_array(field, '.')
$$;

CREATE FUNCTION public.append_parcel_tag() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.weight_grams > 20000 THEN
    NEW.tags := array_append(NEW.tags, 'heavy');
  END IF;
  NEW.updated_at := now();
  RETURN NEW;
END
$$;

CREATE AGGREGATE public.array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

SET default_tablespace = '';
SET default_table_access_method = heap;

CREATE TABLE public.couriers (
    id bigserial NOT NULL,
    name character varying NOT NULL,
    "system_user" boolean DEFAULT false NOT NULL,
    shift_length interval DEFAULT '08:00:00'::interval NOT NULL,
    created_at timestamp(6) without time zone NOT NULL
);

CREATE TABLE public.zones (
    id bigserial NOT NULL,
    code character varying NOT NULL,
    boundary polygon NOT NULL
);

CREATE TABLE public.parcels (
    id bigserial NOT NULL,
    reference character varying NOT NULL,
    courier_id bigint,
    zone_id bigint,
    status character varying DEFAULT 'pending'::character varying NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    weight_grams integer,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    picked_up_at timestamp(6) without time zone,
    delivered_at timestamp(6) without time zone,
    updated_at timestamp(6) without time zone
);

CREATE TABLE public.delivery_slots (
    id bigserial NOT NULL,
    zone_id bigint NOT NULL,
    starts_on date NOT NULL,
    duration interval NOT NULL
);

CREATE VIEW public.zone_loads AS
 SELECT p.zone_id,
    date_part('hour'::text, p.picked_up_at) AS hour,
    public.array_accum(p.id) AS parcel_ids
   FROM public.parcels p
  GROUP BY p.zone_id, (date_part('hour'::text, p.picked_up_at));

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);

ALTER TABLE ONLY public.couriers ADD CONSTRAINT couriers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.zones ADD CONSTRAINT zones_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.parcels ADD CONSTRAINT parcels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.delivery_slots ADD CONSTRAINT delivery_slots_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX index_parcels_on_reference ON public.parcels USING btree (reference);
CREATE INDEX index_parcels_on_courier_id ON public.parcels USING btree (courier_id);
CREATE UNIQUE INDEX index_delivery_slots_on_label ON public.delivery_slots USING btree (zone_id, starts_on, ((duration)::text));

CREATE TRIGGER parcels_tags BEFORE INSERT OR UPDATE ON public.parcels FOR EACH ROW EXECUTE FUNCTION public.append_parcel_tag();

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT fk_rails_parcels_courier FOREIGN KEY (courier_id) REFERENCES public.couriers(id);

SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20210305090000'),
('20210611140000');
