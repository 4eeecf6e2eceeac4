--
-- PostgreSQL database dump
--

-- Dumped from database version 11.22
-- Dumped by pg_dump version 11.22

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

--
-- Name: array_accum(anyelement); Type: AGGREGATE; Schema: public
--

CREATE AGGREGATE public.array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

--
-- Name: text_accum(text); Type: AGGREGATE; Schema: public
--

CREATE AGGREGATE public.text_accum(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);

--
-- Name: normalize_chip(text); Type: FUNCTION; Schema: public
--

CREATE FUNCTION public.normalize_chip(chip text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT regexp_replace($1, '[^0-9]', '', 'g') $_$;

SET default_tablespace = '';

SET default_with_oids = false;

CREATE TABLE public.clinics_clinic (
    id integer NOT NULL,
    name character varying(80) NOT NULL,
    city character varying(60) NOT NULL,
    phone character varying(30) NOT NULL,
    location point,
    service_area circle,
    opened_on date NOT NULL
);

CREATE TABLE public.clinics_owner (
    id integer NOT NULL,
    clinic_id integer NOT NULL,
    first_name character varying(60) NOT NULL,
    last_name character varying(60) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(30) NOT NULL,
    home point,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.clinics_patient (
    id integer NOT NULL,
    owner_id integer NOT NULL,
    name character varying(60) NOT NULL,
    species character varying(20) NOT NULL,
    breed character varying(60) NOT NULL,
    born date,
    weight_kg numeric(6,2),
    chip_number character varying(20) NOT NULL,
    notes text NOT NULL,
    is_active boolean NOT NULL
);

CREATE TABLE public.clinics_visit (
    id integer NOT NULL,
    patient_id integer NOT NULL,
    clinic_id integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    reason character varying(200) NOT NULL,
    diagnosis text NOT NULL,
    status character varying(12) NOT NULL,
    CONSTRAINT clinics_visit_ends_after_start CHECK ((ended_at >= started_at))
);

CREATE TABLE public.clinics_reminder (
    id integer NOT NULL,
    patient_id integer NOT NULL,
    kind character varying(20) NOT NULL,
    due_on date NOT NULL,
    state character varying(12) DEFAULT 'queued'::character varying NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    locked_at timestamp with time zone
);

CREATE TABLE public.clinics_prescription (
    id integer NOT NULL,
    visit_id integer NOT NULL,
    drug character varying(80) NOT NULL,
    dose character varying(20) NOT NULL,
    repeats integer NOT NULL
);

--
-- Name: clinics_roomusage; Type: TABLE; Schema: public. Filled by the booking terminals.
--

CREATE TABLE public.clinics_roomusage (
    id integer NOT NULL,
    clinic_id integer NOT NULL,
    room character varying(20) NOT NULL,
    day date NOT NULL,
    calls integer NOT NULL,
    total_time interval NOT NULL
)
WITHOUT OIDS;

CREATE TABLE public.clinics_labresult (
    id integer NOT NULL,
    visit_id integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    payload jsonb NOT NULL
);

CREATE TABLE public.billing_invoice (
    id integer NOT NULL,
    visit_id integer NOT NULL,
    number character varying(20) NOT NULL,
    issued_on date NOT NULL,
    total numeric(10,2) NOT NULL,
    paid_at timestamp with time zone,
    CONSTRAINT billing_invoice_total_positive CHECK ((total >= (0)::numeric))
);

CREATE TABLE public.billing_invoiceline (
    id integer NOT NULL,
    invoice_id integer NOT NULL,
    text character varying(120) NOT NULL,
    quantity numeric(8,2) NOT NULL,
    price numeric(10,2) NOT NULL
);

CREATE SEQUENCE public.billing_invoice_number_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

ALTER TABLE ONLY public.clinics_clinic ADD CONSTRAINT clinics_clinic_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_owner ADD CONSTRAINT clinics_owner_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_patient ADD CONSTRAINT clinics_patient_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_visit ADD CONSTRAINT clinics_visit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_reminder ADD CONSTRAINT clinics_reminder_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_prescription ADD CONSTRAINT clinics_prescription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_roomusage ADD CONSTRAINT clinics_roomusage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clinics_labresult ADD CONSTRAINT clinics_labresult_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_invoice ADD CONSTRAINT billing_invoice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_invoice ADD CONSTRAINT billing_invoice_number_key UNIQUE (number);
ALTER TABLE ONLY public.billing_invoiceline ADD CONSTRAINT billing_invoiceline_pkey PRIMARY KEY (id);

CREATE INDEX clinics_visit_started_at_idx ON public.clinics_visit USING btree (started_at);
CREATE INDEX clinics_reminder_due_idx ON public.clinics_reminder USING btree (due_on) WHERE ((state)::text = 'queued'::text);
CREATE INDEX clinics_patient_chip_idx ON public.clinics_patient USING btree (public.normalize_chip((chip_number)::text));
CREATE INDEX clinics_clinic_area_idx ON public.clinics_clinic USING gist (service_area);

ALTER TABLE ONLY public.clinics_owner
    ADD CONSTRAINT clinics_owner_clinic_id_fk FOREIGN KEY (clinic_id) REFERENCES public.clinics_clinic(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.clinics_patient
    ADD CONSTRAINT clinics_patient_owner_id_fk FOREIGN KEY (owner_id) REFERENCES public.clinics_owner(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.clinics_visit
    ADD CONSTRAINT clinics_visit_patient_id_fk FOREIGN KEY (patient_id) REFERENCES public.clinics_patient(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_visit_id_fk FOREIGN KEY (visit_id) REFERENCES public.clinics_visit(id) DEFERRABLE INITIALLY DEFERRED;

--
-- Name: next_appointment; Type: FUNCTION; Schema: public
--

CREATE FUNCTION public.next_appointment(patient integer) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $_$
        SELECT min(started_at) FROM public.clinics_visit
         WHERE patient_id = $1 AND status = 'planned' AND started_at > now()
    $_$;

CREATE FUNCTION public.next_appointment(patient integer, clinic integer) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $_$
        SELECT min(started_at) FROM public.clinics_visit
         WHERE patient_id = $1 AND clinic_id = $2 AND status = 'planned' AND started_at > now()
    $_$;

CREATE FUNCTION public.booster_due(given date, species text) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $_$
        SELECT ($1 + CASE $2 WHEN 'cat' THEN interval '1.5 years' ELSE interval '3 years' END)::date
    $_$;

CREATE FUNCTION public.invoice_number() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.number = '' THEN
        NEW.number := to_char(NEW.issued_on, 'YYYY') || '-' || lpad(nextval('public.billing_invoice_number_seq')::text, 6, '0');
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER billing_invoice_number BEFORE INSERT ON public.billing_invoice
    FOR EACH ROW EXECUTE PROCEDURE public.invoice_number();

--
-- PostgreSQL database dump complete
--
