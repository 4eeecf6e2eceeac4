--
-- PostgreSQL database dump
--

-- Dumped from database version 9.6.24
-- Dumped by pg_dump version 9.6.24

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: harbor; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA harbor;


--
-- Name: ops; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA ops;


--
-- Name: SCHEMA ops; Type: COMMENT; Schema: -; Owner: postgres
--

COMMENT ON SCHEMA ops IS 'DBA tooling; tables were created WITH OIDS until 2014';


--
-- Name: call_state; Type: TYPE; Schema: harbor; Owner: postgres
--

CREATE TYPE harbor.call_state AS ENUM (
    'announced',
    'berthed',
    'departed',
    'cancelled'
);


--
-- Name: container_moves_insert(); Type: FUNCTION; Schema: harbor; Owner: postgres
--

CREATE FUNCTION harbor.container_moves_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
    EXECUTE format('INSERT INTO harbor.%I SELECT ($1).*', 'container_moves_' || to_char(NEW.moved_at, 'YYYY_MM'))
      USING NEW;
    RETURN NULL;
END;
$_$;


--
-- Name: touch(); Type: FUNCTION; Schema: harbor; Owner: postgres
--

CREATE FUNCTION harbor.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.state IS DISTINCT FROM OLD.state THEN
        NEW.state_since := now();
    END IF;
    RETURN NEW;
END;
$$;


--
-- Name: laytime(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: harbor; Owner: postgres
--

CREATE FUNCTION harbor.laytime(eta timestamp with time zone, etd timestamp with time zone) RETURNS interval
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT etd - eta $$;


--
-- Name: min_scale(numeric); Type: FUNCTION; Schema: ops; Owner: postgres
--

CREATE FUNCTION ops.min_scale(amount numeric) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT length(rtrim(split_part(amount::text, '.', 2), '0')) $$;


--
-- Name: sha256(text); Type: FUNCTION; Schema: ops; Owner: postgres
--

CREATE FUNCTION ops.sha256(label text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT md5('harbor' || label) $$;


SET default_tablespace = '';

SET default_with_oids = false;

--
-- Name: vessels; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.vessels (
    id integer NOT NULL,
    imo character varying(7) NOT NULL,
    name text NOT NULL,
    flag character(2) NOT NULL,
    length_cm integer NOT NULL,
    built date,
    CONSTRAINT vessels_length_check CHECK ((length_cm > 0))
);


--
-- Name: vessels_id_seq; Type: SEQUENCE; Schema: harbor; Owner: postgres
--

CREATE SEQUENCE harbor.vessels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE harbor.vessels_id_seq OWNED BY harbor.vessels.id;


--
-- Name: berths; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.berths (
    quay character varying(8) NOT NULL,
    berth_no smallint NOT NULL,
    length_cm integer NOT NULL,
    depth_cm integer NOT NULL,
    crane_count smallint DEFAULT 0 NOT NULL
)
WITH (fillfactor='90');


--
-- Name: port_calls; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.port_calls (
    id integer NOT NULL,
    vessel_id integer NOT NULL,
    state harbor.call_state DEFAULT 'announced'::harbor.call_state NOT NULL,
    state_since timestamp with time zone DEFAULT now() NOT NULL,
    eta timestamp with time zone NOT NULL,
    etd timestamp with time zone,
    agent text
);


--
-- Name: port_calls_id_seq; Type: SEQUENCE; Schema: harbor; Owner: postgres
--

CREATE SEQUENCE harbor.port_calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE harbor.port_calls_id_seq OWNED BY harbor.port_calls.id;


--
-- Name: berth_assignments; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.berth_assignments (
    call_id integer NOT NULL,
    quay character varying(8) NOT NULL,
    berth_no smallint NOT NULL,
    during tstzrange NOT NULL
);


--
-- Name: container_moves; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.container_moves (
    id bigint NOT NULL,
    call_id integer NOT NULL,
    container character(11) NOT NULL,
    direction character(1) NOT NULL,
    weight_kg integer,
    moved_at timestamp with time zone NOT NULL
);


--
-- Name: container_moves_id_seq; Type: SEQUENCE; Schema: harbor; Owner: postgres
--

CREATE SEQUENCE harbor.container_moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 50;

ALTER SEQUENCE harbor.container_moves_id_seq OWNED BY harbor.container_moves.id;


--
-- Name: container_moves_2019_12; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.container_moves_2019_12 (
    CONSTRAINT container_moves_2019_12_bound CHECK (((moved_at >= '2019-12-01 00:00:00+00'::timestamp with time zone) AND (moved_at < '2020-01-01 00:00:00+00'::timestamp with time zone)))
)
INHERITS (harbor.container_moves);


--
-- Name: container_moves_2020_01; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.container_moves_2020_01 (
    CONSTRAINT container_moves_2020_01_bound CHECK (((moved_at >= '2020-01-01 00:00:00+00'::timestamp with time zone) AND (moved_at < '2020-02-01 00:00:00+00'::timestamp with time zone)))
)
INHERITS (harbor.container_moves);


--
-- Name: container_moves_2020_02; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.container_moves_2020_02 (
    CONSTRAINT container_moves_2020_02_bound CHECK (((moved_at >= '2020-02-01 00:00:00+00'::timestamp with time zone) AND (moved_at < '2020-03-01 00:00:00+00'::timestamp with time zone)))
)
INHERITS (harbor.container_moves);


--
-- Name: customs_items; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.customs_items (
    id integer NOT NULL,
    container character(11) NOT NULL,
    consrc text NOT NULL,
    tariff_no character(10),
    total_time interval,
    declared_value numeric(12,2)
);


--
-- Name: COLUMN customs_items.consrc; Type: COMMENT; Schema: harbor; Owner: postgres
--

COMMENT ON COLUMN harbor.customs_items.consrc IS 'source of the consignment, as in the EDI message';


--
-- Name: soundings; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.soundings (
    id integer NOT NULL,
    quay character varying(8) NOT NULL,
    berth_no smallint NOT NULL,
    taken_on date NOT NULL,
    depth_cm integer NOT NULL,
    depth_m double precision NOT NULL
);


--
-- Name: pilots; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.pilots (
    id integer NOT NULL,
    name text NOT NULL,
    licence_until date NOT NULL
);


--
-- Name: pilot_orders; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.pilot_orders (
    id integer NOT NULL,
    call_id integer NOT NULL,
    pilot_id integer,
    ordered_for timestamp with time zone NOT NULL,
    inbound boolean NOT NULL
);


--
-- Name: tariffs; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.tariffs (
    code character varying(12) NOT NULL,
    valid_from date NOT NULL,
    per_unit numeric(10,4) NOT NULL,
    unit text DEFAULT 'GT'::text NOT NULL
);


--
-- Name: invoices; Type: TABLE; Schema: harbor; Owner: postgres
--

CREATE TABLE harbor.invoices (
    id integer NOT NULL,
    call_id integer NOT NULL,
    tariff_code character varying(12) NOT NULL,
    tariff_from date NOT NULL,
    units numeric(10,2) NOT NULL,
    amount numeric(14,4) NOT NULL,
    issued_on date
);


--
-- Name: invoices_id_seq; Type: SEQUENCE; Schema: harbor; Owner: postgres
--

CREATE SEQUENCE harbor.invoices_id_seq
    START WITH 1000
    INCREMENT BY 1
    MINVALUE 1000
    MAXVALUE 999999
    CACHE 1;

ALTER SEQUENCE harbor.invoices_id_seq OWNED BY harbor.invoices.id;


--
-- Name: open_calls; Type: VIEW; Schema: harbor; Owner: postgres
--

CREATE VIEW harbor.open_calls AS
 SELECT p.id,
    v.name AS vessel,
    p.eta,
    p.etd,
    harbor.laytime(p.eta, p.etd) AS laytime,
    b.quay,
    b.berth_no
   FROM ((harbor.port_calls p
     JOIN harbor.vessels v ON ((v.id = p.vessel_id)))
     LEFT JOIN harbor.berth_assignments b ON ((b.call_id = p.id)))
  WHERE (p.state = ANY (ARRAY['announced'::harbor.call_state, 'berthed'::harbor.call_state]));


--
-- Name: customs_sources; Type: VIEW; Schema: harbor; Owner: postgres
--

CREATE VIEW harbor.customs_sources AS
 SELECT i.consrc,
    count(*) AS items,
    sum(i.total_time) AS total_time
   FROM harbor.customs_items i
  GROUP BY i.consrc;


--
-- Name: partition_bounds; Type: VIEW; Schema: ops; Owner: postgres
--

CREATE VIEW ops.partition_bounds AS
 SELECT (h.inhparent)::regclass AS parent,
    (h.inhrelid)::regclass AS partition,
    k.consrc AS bound
   FROM (pg_inherits h
     JOIN pg_constraint k ON ((k.conrelid = h.inhrelid)))
  WHERE ((k.contype = 'c'::"char") AND k.conislocal);


--
-- Name: partition_bound_defs; Type: VIEW; Schema: ops; Owner: postgres
--

CREATE VIEW ops.partition_bound_defs AS
 SELECT (h.inhrelid)::regclass AS partition,
    pg_get_expr(k.conbin, k.conrelid) AS bound
   FROM (pg_inherits h
     JOIN pg_constraint k ON ((k.conrelid = h.inhrelid)))
  WHERE ((k.contype = 'c'::"char") AND k.conislocal);


ALTER TABLE ONLY harbor.vessels ALTER COLUMN id SET DEFAULT nextval('harbor.vessels_id_seq'::regclass);
ALTER TABLE ONLY harbor.port_calls ALTER COLUMN id SET DEFAULT nextval('harbor.port_calls_id_seq'::regclass);
ALTER TABLE ONLY harbor.container_moves ALTER COLUMN id SET DEFAULT nextval('harbor.container_moves_id_seq'::regclass);
ALTER TABLE ONLY harbor.container_moves_2019_12 ALTER COLUMN id SET DEFAULT nextval('harbor.container_moves_id_seq'::regclass);
ALTER TABLE ONLY harbor.container_moves_2020_01 ALTER COLUMN id SET DEFAULT nextval('harbor.container_moves_id_seq'::regclass);
ALTER TABLE ONLY harbor.container_moves_2020_02 ALTER COLUMN id SET DEFAULT nextval('harbor.container_moves_id_seq'::regclass);
ALTER TABLE ONLY harbor.invoices ALTER COLUMN id SET DEFAULT nextval('harbor.invoices_id_seq'::regclass);

ALTER TABLE ONLY harbor.vessels
    ADD CONSTRAINT vessels_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.vessels
    ADD CONSTRAINT vessels_imo_key UNIQUE (imo);

ALTER TABLE ONLY harbor.berths
    ADD CONSTRAINT berths_pkey PRIMARY KEY (quay, berth_no);

ALTER TABLE ONLY harbor.port_calls
    ADD CONSTRAINT port_calls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.berth_assignments
    ADD CONSTRAINT berth_assignments_pkey PRIMARY KEY (call_id, quay, berth_no);

ALTER TABLE ONLY harbor.container_moves
    ADD CONSTRAINT container_moves_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.container_moves_2019_12
    ADD CONSTRAINT container_moves_2019_12_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.container_moves_2020_01
    ADD CONSTRAINT container_moves_2020_01_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.customs_items
    ADD CONSTRAINT customs_items_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.soundings
    ADD CONSTRAINT soundings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.pilots
    ADD CONSTRAINT pilots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.pilot_orders
    ADD CONSTRAINT pilot_orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY harbor.tariffs
    ADD CONSTRAINT tariffs_pkey PRIMARY KEY (code, valid_from);

ALTER TABLE ONLY harbor.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);

CREATE INDEX port_calls_vessel_idx ON harbor.port_calls USING btree (vessel_id);

CREATE INDEX port_calls_eta_idx ON harbor.port_calls USING btree (eta) WHERE (state <> 'departed'::harbor.call_state);

CREATE INDEX berth_assignments_during_idx ON harbor.berth_assignments USING gist (during);

CREATE INDEX customs_items_consrc_idx ON harbor.customs_items USING btree (lower(consrc));

CREATE INDEX container_moves_2020_01_call_idx ON harbor.container_moves_2020_01 USING btree (call_id);

CREATE INDEX container_moves_2020_02_call_idx ON harbor.container_moves_2020_02 USING btree (call_id);

CREATE TRIGGER container_moves_insert BEFORE INSERT ON harbor.container_moves FOR EACH ROW EXECUTE PROCEDURE harbor.container_moves_insert();

CREATE TRIGGER port_calls_touch BEFORE UPDATE ON harbor.port_calls FOR EACH ROW EXECUTE PROCEDURE harbor.touch();

ALTER TABLE ONLY harbor.port_calls
    ADD CONSTRAINT port_calls_vessel_id_fkey FOREIGN KEY (vessel_id) REFERENCES harbor.vessels(id);

ALTER TABLE ONLY harbor.berth_assignments
    ADD CONSTRAINT berth_assignments_call_id_fkey FOREIGN KEY (call_id) REFERENCES harbor.port_calls(id) ON DELETE CASCADE;

ALTER TABLE ONLY harbor.berth_assignments
    ADD CONSTRAINT berth_assignments_quay_fkey FOREIGN KEY (quay, berth_no) REFERENCES harbor.berths(quay, berth_no);

ALTER TABLE ONLY harbor.soundings
    ADD CONSTRAINT soundings_quay_fkey FOREIGN KEY (quay, berth_no) REFERENCES harbor.berths(quay, berth_no);

ALTER TABLE ONLY harbor.pilot_orders
    ADD CONSTRAINT pilot_orders_call_id_fkey FOREIGN KEY (call_id) REFERENCES harbor.port_calls(id) ON DELETE CASCADE;

ALTER TABLE ONLY harbor.pilot_orders
    ADD CONSTRAINT pilot_orders_pilot_id_fkey FOREIGN KEY (pilot_id) REFERENCES harbor.pilots(id);

ALTER TABLE ONLY harbor.invoices
    ADD CONSTRAINT invoices_call_id_fkey FOREIGN KEY (call_id) REFERENCES harbor.port_calls(id);

ALTER TABLE ONLY harbor.invoices
    ADD CONSTRAINT invoices_tariff_code_fkey FOREIGN KEY (tariff_code, tariff_from) REFERENCES harbor.tariffs(code, valid_from);

--
-- PostgreSQL database dump complete
--
