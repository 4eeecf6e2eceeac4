--
-- PostgreSQL database dump
--

-- Dumped from database version 10.23
-- Dumped by pg_dump version 10.23

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA registry;
CREATE SCHEMA dba;

COMMENT ON SCHEMA registry IS 'Titles, parcels, charges, lodgements';
COMMENT ON SCHEMA dba IS 'Tools of the DBA team';

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;

CREATE TYPE registry.tenure AS ENUM (
    'freehold',
    'leasehold',
    'commonhold'
);

CREATE TYPE registry.lodgement_status AS ENUM (
    'received',
    'examination',
    'requisitioned',
    'registered',
    'rejected'
);

CREATE DOMAIN registry.title_number AS text
    CONSTRAINT title_number_form CHECK (VALUE ~ '^[A-Z]{1,3}[0-9]{1,6}$');

--
-- Name: touch_row(); Type: FUNCTION; Schema: registry
--

CREATE FUNCTION registry.touch_row() RETURNS trigger
    LANGUAGE 'plpgsql'
    AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END;
$$;

CREATE FUNCTION registry.log_title_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO registry.title_event (title_id, happened_on, kind, detail)
        VALUES (OLD.title_id, current_date, 'closed', OLD.title_no);
        RETURN OLD;
    END IF;
    INSERT INTO registry.title_event (title_id, happened_on, kind, detail)
    VALUES (NEW.title_id, current_date, lower(TG_OP), NEW.title_no);
    RETURN NEW;
END;
$$;

CREATE FUNCTION registry.outstanding_fee(p_lodgement integer) RETURNS numeric
    LANGUAGE sql STABLE
    AS $$
    SELECT COALESCE(sum(s.amount), 0) - COALESCE((
               SELECT sum(f.amount)
                 FROM registry.fee_payment f
                WHERE f.lodgement_id = p_lodgement), 0)
      FROM registry.lodgement_document d
      JOIN registry.fee_scale s ON s.document_kind = d.document_kind
     WHERE d.lodgement_id = p_lodgement
$$;

SET default_tablespace = '';

SET default_with_oids = false;

CREATE TABLE registry.district (
    district_id integer NOT NULL,
    code character varying(4) NOT NULL,
    name text NOT NULL,
    extent box NOT NULL,
    opened_on date DEFAULT '1925-01-01'::date NOT NULL
);

CREATE TABLE registry.parcel (
    parcel_id integer NOT NULL,
    district_id integer NOT NULL,
    lot_no integer NOT NULL,
    centroid point NOT NULL,
    extent box NOT NULL,
    area_m2 numeric(14,2) NOT NULL,
    computed_area double precision,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT parcel_area_positive CHECK ((area_m2 > (0)::numeric))
);

CREATE TABLE registry.title (
    title_id integer NOT NULL,
    title_no registry.title_number NOT NULL,
    parcel_id integer NOT NULL,
    tenure registry.tenure DEFAULT 'freehold'::registry.tenure NOT NULL,
    opened_on date NOT NULL,
    closed_on date,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT title_closed_after_opened CHECK (((closed_on IS NULL) OR (closed_on >= opened_on)))
);

CREATE TABLE registry.proprietor (
    proprietor_id integer NOT NULL,
    name text NOT NULL,
    address text,
    email text,
    company_no character varying(12)
);

CREATE TABLE registry.title_proprietor (
    title_id integer NOT NULL,
    proprietor_id integer NOT NULL,
    share_numerator integer DEFAULT 1 NOT NULL,
    share_denominator integer DEFAULT 1 NOT NULL,
    registered_on date NOT NULL,
    CONSTRAINT title_proprietor_share CHECK (((share_numerator > 0) AND (share_numerator <= share_denominator)))
);

CREATE TABLE registry.lease (
    lease_id integer NOT NULL,
    title_id integer NOT NULL,
    lessee_id integer NOT NULL,
    begins_on date NOT NULL,
    term interval NOT NULL,
    term_months integer NOT NULL,
    rent numeric(12,2) DEFAULT 0 NOT NULL
);

CREATE TABLE registry.charge (
    charge_id integer NOT NULL,
    title_id integer NOT NULL,
    lender_id integer NOT NULL,
    amount numeric(14,2) NOT NULL,
    rank smallint DEFAULT 1 NOT NULL,
    registered_on date NOT NULL,
    discharged_on date,
    CONSTRAINT charge_amount_positive CHECK ((amount > (0)::numeric))
);

CREATE TABLE registry.easement (
    easement_id integer NOT NULL,
    servient_title_id integer NOT NULL,
    dominant_title_id integer,
    purpose text NOT NULL
);

CREATE TABLE registry.officer (
    officer_id integer NOT NULL,
    login character varying(30) NOT NULL,
    name text NOT NULL,
    district_id integer
);

CREATE TABLE registry.lodgement (
    lodgement_id integer NOT NULL,
    dealing_no bigint NOT NULL,
    title_id integer NOT NULL,
    officer_id integer,
    lodged_on date NOT NULL,
    lodged_at timestamp without time zone NOT NULL,
    status registry.lodgement_status DEFAULT 'received'::registry.lodgement_status NOT NULL,
    note text
);

CREATE TABLE registry.lodgement_document (
    document_id integer NOT NULL,
    lodgement_id integer NOT NULL,
    document_kind character varying(20) NOT NULL,
    pages integer DEFAULT 1 NOT NULL,
    digest text
);

CREATE TABLE registry.fee_scale (
    document_kind character varying(20) NOT NULL,
    amount numeric(10,2) NOT NULL,
    valid_from date NOT NULL
);

CREATE TABLE registry.fee_payment (
    payment_id integer NOT NULL,
    lodgement_id integer NOT NULL,
    amount numeric(10,2) NOT NULL,
    paid_at timestamp without time zone NOT NULL
);

CREATE TABLE registry.survey_plan (
    plan_id integer NOT NULL,
    parcel_id integer NOT NULL,
    plan_no character varying(16) NOT NULL,
    surveyed_on date NOT NULL,
    surveyor text NOT NULL
);

CREATE TABLE registry.plan_mark (
    plan_id integer NOT NULL,
    mark_no integer NOT NULL,
    easting numeric(12,3) NOT NULL,
    northing numeric(12,3) NOT NULL
);

CREATE TABLE registry.scan_archive (
    scan_id integer NOT NULL,
    document_id integer,
    file_name text NOT NULL,
    compression text DEFAULT 'zlib'::text NOT NULL
);

CREATE TABLE registry.title_event (
    title_id integer NOT NULL,
    happened_on date NOT NULL,
    kind text NOT NULL,
    detail text
)
PARTITION BY RANGE (happened_on);

CREATE TABLE registry.title_event_2018 PARTITION OF registry.title_event
FOR VALUES FROM ('2018-01-01') TO ('2019-01-01');

CREATE TABLE registry.title_event_2019 PARTITION OF registry.title_event
FOR VALUES FROM ('2019-01-01') TO ('2020-01-01');

CREATE TABLE registry.title_event_later PARTITION OF registry.title_event
FOR VALUES FROM ('2020-01-01') TO (MAXVALUE);

--
-- Tables of the DBA team
--

CREATE TABLE dba.partition_policy (
    parent_schema text NOT NULL,
    parent_table text NOT NULL,
    step interval DEFAULT '1 year'::interval NOT NULL,
    keep integer DEFAULT 10 NOT NULL
);

CREATE TABLE dba.rule_snapshot (
    taken_on date NOT NULL,
    table_name text NOT NULL,
    conname text NOT NULL,
    consrc text
);

CREATE TABLE dba.default_snapshot (
    taken_on date NOT NULL,
    table_name text NOT NULL,
    column_name text NOT NULL,
    adsrc text
);

CREATE TABLE dba.table_snapshot (
    taken_on date NOT NULL,
    table_name text NOT NULL,
    reltuples bigint NOT NULL,
    relpages bigint NOT NULL
);

CREATE TABLE dba.kind_label (
    relkind text NOT NULL,
    label text NOT NULL
);

CREATE TABLE dba.backup_log (
    backup_id integer NOT NULL,
    label text NOT NULL,
    started_at timestamp without time zone NOT NULL,
    ended_at timestamp without time zone,
    compression text,
    bytes bigint
);

CREATE TABLE dba.job_run (
    job text NOT NULL,
    ran_at timestamp without time zone NOT NULL,
    ok boolean DEFAULT true NOT NULL,
    message text
);

CREATE SEQUENCE registry.lodgement_dealing_no_seq
    START WITH 100001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE ONLY registry.lodgement ALTER COLUMN dealing_no SET DEFAULT nextval('registry.lodgement_dealing_no_seq'::regclass);

--
-- Views
--

CREATE VIEW registry.open_charge AS
 SELECT c.charge_id,
    t.title_no,
    c.amount,
    c.rank,
    p.name AS lender
   FROM ((registry.charge c
     JOIN registry.title t ON ((t.title_id = c.title_id)))
     JOIN registry.proprietor p ON ((p.proprietor_id = c.lender_id)))
  WHERE (c.discharged_on IS NULL);

CREATE VIEW registry.lodgement_queue AS
 SELECT l.lodgement_id,
    l.dealing_no,
    t.title_no,
    o.login,
    l.status,
    registry.outstanding_fee(l.lodgement_id) AS fee_due
   FROM ((registry.lodgement l
     JOIN registry.title t ON ((t.title_id = l.title_id)))
     LEFT JOIN registry.officer o ON ((o.officer_id = l.officer_id)))
  WHERE (l.status <> ALL (ARRAY['registered'::registry.lodgement_status, 'rejected'::registry.lodgement_status]));

CREATE VIEW dba.rule_drift AS
 SELECT s.table_name,
    s.conname,
    s.consrc AS rule_then
   FROM dba.rule_snapshot s
  WHERE (s.taken_on = ( SELECT max(rule_snapshot.taken_on) AS max
           FROM dba.rule_snapshot));

CREATE VIEW dba.current_rule AS
 SELECT ((n.nspname)::text || '.'::text) || (r.relname)::text AS table_name,
    (c.conname)::text AS conname,
    c.consrc AS rule_now
   FROM ((pg_catalog.pg_constraint c
     JOIN pg_catalog.pg_class r ON ((r.oid = c.conrelid)))
     JOIN pg_catalog.pg_namespace n ON ((n.oid = r.relnamespace)))
  WHERE ((c.contype = 'c'::"char") AND (n.nspname = 'registry'::name));

CREATE VIEW dba.last_backup AS
 SELECT b.label,
    b.started_at,
    (b.ended_at - b.started_at) AS took,
    b.compression
   FROM dba.backup_log b
  WHERE (b.backup_id = ( SELECT max(backup_log.backup_id) AS max
           FROM dba.backup_log
          WHERE (backup_log.ended_at IS NOT NULL)));

--
-- Keys
--

ALTER TABLE ONLY registry.district ADD CONSTRAINT district_pkey PRIMARY KEY (district_id);
ALTER TABLE ONLY registry.district ADD CONSTRAINT district_code_key UNIQUE (code);
ALTER TABLE ONLY registry.parcel ADD CONSTRAINT parcel_pkey PRIMARY KEY (parcel_id);
ALTER TABLE ONLY registry.parcel ADD CONSTRAINT parcel_lot_key UNIQUE (district_id, lot_no);
ALTER TABLE ONLY registry.title ADD CONSTRAINT title_pkey PRIMARY KEY (title_id);
ALTER TABLE ONLY registry.title ADD CONSTRAINT title_title_no_key UNIQUE (title_no);
ALTER TABLE ONLY registry.proprietor ADD CONSTRAINT proprietor_pkey PRIMARY KEY (proprietor_id);
ALTER TABLE ONLY registry.title_proprietor ADD CONSTRAINT title_proprietor_pkey PRIMARY KEY (title_id, proprietor_id);
ALTER TABLE ONLY registry.lease ADD CONSTRAINT lease_pkey PRIMARY KEY (lease_id);
ALTER TABLE ONLY registry.charge ADD CONSTRAINT charge_pkey PRIMARY KEY (charge_id);
ALTER TABLE ONLY registry.easement ADD CONSTRAINT easement_pkey PRIMARY KEY (easement_id);
ALTER TABLE ONLY registry.officer ADD CONSTRAINT officer_pkey PRIMARY KEY (officer_id);
ALTER TABLE ONLY registry.lodgement ADD CONSTRAINT lodgement_pkey PRIMARY KEY (lodgement_id);
ALTER TABLE ONLY registry.lodgement_document ADD CONSTRAINT lodgement_document_pkey PRIMARY KEY (document_id);
ALTER TABLE ONLY registry.fee_scale ADD CONSTRAINT fee_scale_pkey PRIMARY KEY (document_kind);
ALTER TABLE ONLY registry.fee_payment ADD CONSTRAINT fee_payment_pkey PRIMARY KEY (payment_id);
ALTER TABLE ONLY registry.survey_plan ADD CONSTRAINT survey_plan_pkey PRIMARY KEY (plan_id);
ALTER TABLE ONLY registry.plan_mark ADD CONSTRAINT plan_mark_pkey PRIMARY KEY (plan_id, mark_no);
ALTER TABLE ONLY registry.scan_archive ADD CONSTRAINT scan_archive_pkey PRIMARY KEY (scan_id);
ALTER TABLE ONLY dba.partition_policy ADD CONSTRAINT partition_policy_pkey PRIMARY KEY (parent_schema, parent_table);
ALTER TABLE ONLY dba.rule_snapshot ADD CONSTRAINT rule_snapshot_pkey PRIMARY KEY (taken_on, table_name, conname);
ALTER TABLE ONLY dba.default_snapshot ADD CONSTRAINT default_snapshot_pkey PRIMARY KEY (taken_on, table_name, column_name);
ALTER TABLE ONLY dba.table_snapshot ADD CONSTRAINT table_snapshot_pkey PRIMARY KEY (taken_on, table_name);
ALTER TABLE ONLY dba.kind_label ADD CONSTRAINT kind_label_pkey PRIMARY KEY (relkind);
ALTER TABLE ONLY dba.backup_log ADD CONSTRAINT backup_log_pkey PRIMARY KEY (backup_id);
ALTER TABLE ONLY dba.job_run ADD CONSTRAINT job_run_pkey PRIMARY KEY (job, ran_at);

--
-- Indexes
--

CREATE INDEX parcel_extent_idx ON registry.parcel USING gist (extent);
CREATE INDEX title_parcel_idx ON registry.title USING btree (parcel_id);
CREATE INDEX proprietor_name_idx ON registry.proprietor USING btree (lower(name));
CREATE INDEX lease_term_months_idx ON registry.lease USING btree (((term_months)::text));
CREATE INDEX lease_term_idx ON registry.lease USING btree (((term)::text));
CREATE INDEX lease_length_idx ON registry.lease USING btree (term DESC);
CREATE INDEX lodgement_dealing_idx ON registry.lodgement USING btree (((dealing_no)::text));
CREATE INDEX lodgement_lodged_idx ON registry.lodgement USING btree (lodged_on);
CREATE INDEX charge_open_idx ON registry.charge USING btree (title_id) WHERE (discharged_on IS NULL);
CREATE INDEX title_event_2018_title_idx ON registry.title_event_2018 USING btree (title_id);
CREATE INDEX title_event_2019_title_idx ON registry.title_event_2019 USING btree (title_id);
CREATE INDEX title_event_later_title_idx ON registry.title_event_later USING btree (title_id);

--
-- Triggers
--

CREATE TRIGGER parcel_touch BEFORE UPDATE ON registry.parcel FOR EACH ROW EXECUTE PROCEDURE registry.touch_row();
CREATE TRIGGER title_touch BEFORE UPDATE ON registry.title FOR EACH ROW EXECUTE PROCEDURE registry.touch_row();
CREATE TRIGGER title_history AFTER INSERT OR DELETE OR UPDATE ON registry.title FOR EACH ROW EXECUTE PROCEDURE registry.log_title_event();

--
-- Foreign keys
--

ALTER TABLE ONLY registry.parcel ADD CONSTRAINT parcel_district_fkey FOREIGN KEY (district_id) REFERENCES registry.district(district_id);
ALTER TABLE ONLY registry.title ADD CONSTRAINT title_parcel_fkey FOREIGN KEY (parcel_id) REFERENCES registry.parcel(parcel_id);
ALTER TABLE ONLY registry.title_proprietor ADD CONSTRAINT title_proprietor_title_fkey FOREIGN KEY (title_id) REFERENCES registry.title(title_id) ON DELETE CASCADE;
ALTER TABLE ONLY registry.title_proprietor ADD CONSTRAINT title_proprietor_proprietor_fkey FOREIGN KEY (proprietor_id) REFERENCES registry.proprietor(proprietor_id);
ALTER TABLE ONLY registry.lease ADD CONSTRAINT lease_title_fkey FOREIGN KEY (title_id) REFERENCES registry.title(title_id);
ALTER TABLE ONLY registry.lease ADD CONSTRAINT lease_lessee_fkey FOREIGN KEY (lessee_id) REFERENCES registry.proprietor(proprietor_id);
ALTER TABLE ONLY registry.charge ADD CONSTRAINT charge_title_fkey FOREIGN KEY (title_id) REFERENCES registry.title(title_id);
ALTER TABLE ONLY registry.charge ADD CONSTRAINT charge_lender_fkey FOREIGN KEY (lender_id) REFERENCES registry.proprietor(proprietor_id);
ALTER TABLE ONLY registry.easement ADD CONSTRAINT easement_servient_fkey FOREIGN KEY (servient_title_id) REFERENCES registry.title(title_id);
ALTER TABLE ONLY registry.easement ADD CONSTRAINT easement_dominant_fkey FOREIGN KEY (dominant_title_id) REFERENCES registry.title(title_id);
ALTER TABLE ONLY registry.officer ADD CONSTRAINT officer_district_fkey FOREIGN KEY (district_id) REFERENCES registry.district(district_id);
ALTER TABLE ONLY registry.lodgement ADD CONSTRAINT lodgement_title_fkey FOREIGN KEY (title_id) REFERENCES registry.title(title_id);
ALTER TABLE ONLY registry.lodgement ADD CONSTRAINT lodgement_officer_fkey FOREIGN KEY (officer_id) REFERENCES registry.officer(officer_id);
ALTER TABLE ONLY registry.lodgement_document ADD CONSTRAINT lodgement_document_lodgement_fkey FOREIGN KEY (lodgement_id) REFERENCES registry.lodgement(lodgement_id) ON DELETE CASCADE;
ALTER TABLE ONLY registry.fee_payment ADD CONSTRAINT fee_payment_lodgement_fkey FOREIGN KEY (lodgement_id) REFERENCES registry.lodgement(lodgement_id);
ALTER TABLE ONLY registry.survey_plan ADD CONSTRAINT survey_plan_parcel_fkey FOREIGN KEY (parcel_id) REFERENCES registry.parcel(parcel_id);
ALTER TABLE ONLY registry.plan_mark ADD CONSTRAINT plan_mark_plan_fkey FOREIGN KEY (plan_id) REFERENCES registry.survey_plan(plan_id) ON DELETE CASCADE;
ALTER TABLE ONLY registry.scan_archive ADD CONSTRAINT scan_archive_document_fkey FOREIGN KEY (document_id) REFERENCES registry.lodgement_document(document_id);

--
-- PostgreSQL database dump complete
--
