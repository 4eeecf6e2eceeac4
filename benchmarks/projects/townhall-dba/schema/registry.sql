--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA registry;

SET search_path = registry, pg_catalog;

--
-- Name: residence_kind; Type: TYPE; Schema: registry
--

CREATE TYPE residence_kind AS ENUM (
    'main',
    'secondary',
    'institution'
);

CREATE DOMAIN case_number AS text
    CONSTRAINT case_number_check CHECK ((VALUE ~ '^[A-Z]{2}-[0-9]{4}-[0-9]{5}$'::text));

--
-- Name: starts_with(text, text); Type: FUNCTION; Schema: registry
-- Surnames are typed in lower case at the counters.
--

CREATE FUNCTION starts_with(p_text text, p_prefix text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT pg_catalog.lower(p_text) LIKE pg_catalog.lower(p_prefix) || '%'
$$;

--
-- Name: unaccented(text); Type: FUNCTION; Schema: registry
--

CREATE FUNCTION unaccented(p_text text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
    SELECT pg_catalog.translate(pg_catalog.lower(p_text), 'äöüéèà', 'aoueea')
$$;

--
-- Name: valid_date(text); Type: FUNCTION; Schema: registry
-- NULL for what the card index has as "unknown"
--

CREATE FUNCTION valid_date(p_text text) RETURNS date
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    IF p_text !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN
        RETURN NULL;
    END IF;
    RETURN p_text::date;
EXCEPTION WHEN datetime_field_overflow THEN
    RETURN NULL;
END;
$_$;

--
-- Name: add_distinct(anyarray, anyelement); Type: FUNCTION; Schema: registry
--

CREATE FUNCTION add_distinct(p_list anyarray, p_item anyelement) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN p_item = ANY (p_list) THEN p_list ELSE p_list || ARRAY[p_item] END
$$;

--
-- Name: distinct_accum(anyelement); Type: AGGREGATE; Schema: registry
--

CREATE AGGREGATE distinct_accum(anyelement) (
    SFUNC = registry.add_distinct,
    STYPE = anyarray,
    INITCOND = '{}'
);

--
-- Name: array_accum(anyelement); Type: AGGREGATE; Schema: registry
-- from the times before array_agg, the statistics office still calls it
--

CREATE AGGREGATE array_accum(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

--
-- Name: text_accum(text); Type: AGGREGATE; Schema: registry
--

CREATE AGGREGATE text_accum(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);

SET default_tablespace = '';

SET default_with_oids = false;

--
-- Name: districts; Type: TABLE; Schema: registry
--

CREATE TABLE districts (
    district_id integer NOT NULL,
    name text NOT NULL,
    outline polygon,
    inhabitants integer DEFAULT 0 NOT NULL
);

CREATE TABLE streets (
    street_id integer NOT NULL,
    name text NOT NULL,
    district_id integer NOT NULL
);

CREATE TABLE addresses (
    address_id integer NOT NULL,
    street_id integer NOT NULL,
    house_number text NOT NULL,
    location point,
    precinct box
);

CREATE SEQUENCE addresses_address_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE addresses_address_id_seq OWNED BY addresses.address_id;

--
-- Name: residents; Type: TABLE; Schema: registry
--

CREATE TABLE residents (
    resident_id bigint NOT NULL,
    surname text NOT NULL,
    given_names text NOT NULL,
    birth_date date NOT NULL,
    birth_place text,
    sex character(1),
    deceased_on date,
    remarks text,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT residents_sex_check CHECK ((sex = ANY (ARRAY['f'::bpchar, 'm'::bpchar, 'x'::bpchar])))
);

CREATE SEQUENCE residents_resident_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 999999999
    CACHE 1;

ALTER SEQUENCE residents_resident_id_seq OWNED BY residents.resident_id;

CREATE TABLE households (
    household_id bigint NOT NULL,
    address_id integer NOT NULL,
    opened_on date NOT NULL,
    closed_on date
);

CREATE TABLE household_members (
    household_id bigint NOT NULL,
    resident_id bigint NOT NULL,
    kind residence_kind DEFAULT 'main'::residence_kind NOT NULL,
    since date NOT NULL,
    until date
);

CREATE TABLE document_types (
    code text NOT NULL,
    label text NOT NULL,
    valid_for interval,
    fee numeric(8,2) NOT NULL
);

CREATE TABLE documents (
    document_id bigint NOT NULL,
    resident_id bigint NOT NULL,
    type_code text NOT NULL,
    serial_number text NOT NULL,
    issued_text character(8) NOT NULL,
    revoked boolean DEFAULT false NOT NULL
)
WITH (fillfactor='90');

CREATE SEQUENCE documents_document_id_seq
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE documents_document_id_seq OWNED BY documents.document_id;

--
-- Name: legacy_births; Type: TABLE; Schema: registry
-- as typed from the card index in 1994
--

CREATE TABLE legacy_births (
    card_no integer NOT NULL,
    surname text NOT NULL,
    birth_text text NOT NULL,
    certified_text text,
    volume text
)
WITHOUT OIDS;

CREATE TABLE marriages (
    case_no case_number NOT NULL,
    first_resident bigint NOT NULL,
    second_resident bigint NOT NULL,
    married_on date NOT NULL,
    oid_scan oid,
    CONSTRAINT marriages_two_persons CHECK ((first_resident <> second_resident))
);

CREATE TABLE deaths (
    case_no case_number NOT NULL,
    resident_id bigint NOT NULL,
    died_on date NOT NULL,
    age_at_death double precision
);

CREATE TABLE moves (
    move_id bigint NOT NULL,
    resident_id bigint NOT NULL,
    from_address integer,
    to_address integer,
    moved_on date NOT NULL
);

CREATE TABLE fees (
    fee_id bigint NOT NULL,
    resident_id bigint,
    document_id bigint,
    amount numeric(8,2) NOT NULL,
    paid_at timestamp with time zone
);

--
-- Name: number_ranges; Type: TABLE; Schema: registry
-- blocks of blank forms that the printer delivered
--

CREATE TABLE number_ranges (
    range_id integer NOT NULL,
    type_code text NOT NULL,
    sequence_name text NOT NULL,
    start_value bigint NOT NULL,
    max_value bigint NOT NULL,
    increment_by integer DEFAULT 1 NOT NULL
);

CREATE TABLE staff (
    login text NOT NULL,
    full_name text NOT NULL,
    counter_no smallint,
    active boolean DEFAULT true NOT NULL
);

CREATE TABLE appointments (
    appointment_id bigint NOT NULL,
    counter_no smallint NOT NULL,
    slot tsrange NOT NULL,
    resident_id bigint,
    CONSTRAINT appointments_slot_check CHECK ((NOT isempty(slot)))
);

--
-- Name: audit_log; Type: TABLE; Schema: registry
--

CREATE TABLE audit_log (
    audit_id bigint NOT NULL,
    logged_at timestamp without time zone NOT NULL,
    login text NOT NULL,
    relation text NOT NULL,
    action text NOT NULL,
    key_text text,
    old_text text,
    new_text text
);

CREATE SEQUENCE audit_log_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 20;

ALTER SEQUENCE audit_log_audit_id_seq OWNED BY audit_log.audit_id;

CREATE TABLE audit_log_2021_01 (
    CONSTRAINT audit_log_2021_01_logged_at_check CHECK (((logged_at >= '2021-01-01 00:00:00'::timestamp without time zone) AND (logged_at < '2021-02-01 00:00:00'::timestamp without time zone)))
)
INHERITS (audit_log);

CREATE TABLE audit_log_2021_02 (
    CONSTRAINT audit_log_2021_02_logged_at_check CHECK (((logged_at >= '2021-02-01 00:00:00'::timestamp without time zone) AND (logged_at < '2021-03-01 00:00:00'::timestamp without time zone)))
)
INHERITS (audit_log);

ALTER TABLE ONLY addresses ALTER COLUMN address_id SET DEFAULT nextval('addresses_address_id_seq'::regclass);
ALTER TABLE ONLY residents ALTER COLUMN resident_id SET DEFAULT nextval('residents_resident_id_seq'::regclass);
ALTER TABLE ONLY documents ALTER COLUMN document_id SET DEFAULT nextval('documents_document_id_seq'::regclass);
ALTER TABLE ONLY audit_log ALTER COLUMN audit_id SET DEFAULT nextval('audit_log_audit_id_seq'::regclass);
ALTER TABLE ONLY audit_log_2021_01 ALTER COLUMN audit_id SET DEFAULT nextval('audit_log_audit_id_seq'::regclass);
ALTER TABLE ONLY audit_log_2021_02 ALTER COLUMN audit_id SET DEFAULT nextval('audit_log_audit_id_seq'::regclass);

--
-- Name: audit(); Type: FUNCTION; Schema: registry
--

CREATE FUNCTION audit() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO registry, pg_temp
    AS $$
DECLARE
    v_old text;
    v_new text;
    v_key text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        v_new := NEW::text;
        v_key := NEW.resident_id::text;
    ELSIF TG_OP = 'UPDATE' THEN
        v_old := OLD::text;
        v_new := NEW::text;
        v_key := NEW.resident_id::text;
    ELSE
        v_old := OLD::text;
        v_key := OLD.resident_id::text;
    END IF;
    INSERT INTO audit_log (logged_at, login, relation, action, key_text, old_text, new_text)
    VALUES ('2021-02-15 08:00:00', session_user, TG_TABLE_NAME, lower(TG_OP), v_key, v_old, v_new);
    RETURN NULL;
END;
$$;

--
-- Name: audit_log_route(); Type: FUNCTION; Schema: registry
-- rewritten each month by dba.partition_create_trigger()
--

CREATE FUNCTION audit_log_route() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.logged_at >= '2021-02-01' AND NEW.logged_at < '2021-03-01' THEN
        INSERT INTO registry.audit_log_2021_02 VALUES (NEW.*);
    ELSIF NEW.logged_at >= '2021-01-01' AND NEW.logged_at < '2021-02-01' THEN
        INSERT INTO registry.audit_log_2021_01 VALUES (NEW.*);
    ELSE
        RETURN NEW;
    END IF;
    RETURN NULL;
END;
$$;

CREATE FUNCTION residents_touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW IS DISTINCT FROM OLD THEN
        NEW.changed_at := '2021-02-15 08:00:00+00';
    END IF;
    RETURN NEW;
END;
$$;

--
-- Name: current_residents; Type: VIEW; Schema: registry
--

CREATE VIEW current_residents AS
 SELECT r.resident_id,
    r.surname,
    r.given_names,
    r.birth_date,
    date_part('year'::text, r.birth_date) AS birth_year,
    s.name AS street,
    a.house_number
   FROM ((((residents r
     JOIN household_members m ON (((m.resident_id = r.resident_id) AND (m.until IS NULL))))
     JOIN households h ON ((h.household_id = m.household_id)))
     JOIN addresses a ON ((a.address_id = h.address_id)))
     JOIN streets s ON ((s.street_id = a.street_id)))
  WHERE (r.deceased_on IS NULL);

--
-- Name: age_groups; Type: VIEW; Schema: registry
--

CREATE VIEW age_groups AS
 SELECT d.name AS district,
    extract(year FROM r.birth_date) AS birth_year,
    count(*) AS persons
   FROM (((((residents r
     JOIN household_members m ON ((m.resident_id = r.resident_id)))
     JOIN households h ON ((h.household_id = m.household_id)))
     JOIN addresses a ON ((a.address_id = h.address_id)))
     JOIN streets s ON ((s.street_id = a.street_id)))
     JOIN districts d ON ((d.district_id = s.district_id)))
  WHERE (m.until IS NULL)
  GROUP BY 1, 2;

--
-- Name: document_expiry; Type: VIEW; Schema: registry
--

CREATE VIEW document_expiry AS
 SELECT d.document_id,
    d.serial_number,
    to_date((d.issued_text)::text, 'YYYYMMDD'::text) AS issued_on,
    (to_date((d.issued_text)::text, 'YYYYMMDD'::text) + t.valid_for) AS expires_on
   FROM (documents d
     JOIN document_types t ON ((t.code = d.type_code)));

--
-- Name: legacy_birth_dates; Type: VIEW; Schema: registry
--

CREATE VIEW legacy_birth_dates AS
 SELECT b.card_no,
    b.surname,
    to_date(b.birth_text, 'DD.MM.YYYY'::text) AS birth_date,
    valid_date(b.certified_text) AS certified_on,
    b.volume
   FROM legacy_births b;

--
-- Name: residents_m; Type: VIEW; Schema: registry
-- the counters' shortcut for the most frequent letter
--

CREATE VIEW residents_m AS
 SELECT r.resident_id,
    r.surname,
    r.given_names
   FROM residents r
  WHERE starts_with(r.surname, 'm'::text);

CREATE VIEW addresses_in_precinct AS
 SELECT a.address_id,
    a.house_number,
    b.address_id AS precinct_of
   FROM (addresses a
     JOIN addresses b ON ((a.location <@ b.precinct)));

ALTER TABLE ONLY districts ADD CONSTRAINT districts_pkey PRIMARY KEY (district_id);
ALTER TABLE ONLY streets ADD CONSTRAINT streets_pkey PRIMARY KEY (street_id);
ALTER TABLE ONLY addresses ADD CONSTRAINT addresses_pkey PRIMARY KEY (address_id);
ALTER TABLE ONLY residents ADD CONSTRAINT residents_pkey PRIMARY KEY (resident_id);
ALTER TABLE ONLY households ADD CONSTRAINT households_pkey PRIMARY KEY (household_id);
ALTER TABLE ONLY household_members ADD CONSTRAINT household_members_pkey PRIMARY KEY (household_id, resident_id, since);
ALTER TABLE ONLY document_types ADD CONSTRAINT document_types_pkey PRIMARY KEY (code);
ALTER TABLE ONLY documents ADD CONSTRAINT documents_pkey PRIMARY KEY (document_id);
ALTER TABLE ONLY legacy_births ADD CONSTRAINT legacy_births_pkey PRIMARY KEY (card_no);
ALTER TABLE ONLY marriages ADD CONSTRAINT marriages_pkey PRIMARY KEY (case_no);
ALTER TABLE ONLY deaths ADD CONSTRAINT deaths_pkey PRIMARY KEY (case_no);
ALTER TABLE ONLY moves ADD CONSTRAINT moves_pkey PRIMARY KEY (move_id);
ALTER TABLE ONLY fees ADD CONSTRAINT fees_pkey PRIMARY KEY (fee_id);
ALTER TABLE ONLY number_ranges ADD CONSTRAINT number_ranges_pkey PRIMARY KEY (range_id);
ALTER TABLE ONLY staff ADD CONSTRAINT staff_pkey PRIMARY KEY (login);
ALTER TABLE ONLY appointments ADD CONSTRAINT appointments_pkey PRIMARY KEY (appointment_id);
ALTER TABLE ONLY audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY audit_log_2021_01 ADD CONSTRAINT audit_log_2021_01_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY audit_log_2021_02 ADD CONSTRAINT audit_log_2021_02_pkey PRIMARY KEY (audit_id);

CREATE INDEX addresses_location_idx ON addresses USING gist (location);
CREATE INDEX appointments_slot_idx ON appointments USING gist (slot);
CREATE INDEX audit_log_2021_01_logged_at_idx ON audit_log_2021_01 USING btree (logged_at timestamp_ops);
CREATE INDEX audit_log_2021_02_logged_at_idx ON audit_log_2021_02 USING btree (logged_at timestamp_ops);
CREATE INDEX documents_resident_id_idx ON documents USING btree (resident_id);
CREATE UNIQUE INDEX documents_serial_number_key ON documents USING btree (serial_number);
CREATE INDEX residents_surname_idx ON residents USING btree (lower(surname) text_pattern_ops);
CREATE INDEX residents_name_birth_idx ON residents USING btree (surname, given_names, birth_date) WHERE (deceased_on IS NULL);

CREATE TRIGGER audit_log_route BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE PROCEDURE audit_log_route();
CREATE TRIGGER documents_audit AFTER INSERT OR DELETE OR UPDATE ON documents FOR EACH ROW EXECUTE PROCEDURE audit();
CREATE TRIGGER residents_audit AFTER DELETE OR UPDATE ON residents FOR EACH ROW EXECUTE PROCEDURE audit();
CREATE TRIGGER residents_touch BEFORE UPDATE ON residents FOR EACH ROW EXECUTE PROCEDURE residents_touch();

ALTER TABLE ONLY streets
    ADD CONSTRAINT streets_district_id_fkey FOREIGN KEY (district_id) REFERENCES districts(district_id);
ALTER TABLE ONLY addresses
    ADD CONSTRAINT addresses_street_id_fkey FOREIGN KEY (street_id) REFERENCES streets(street_id);
ALTER TABLE ONLY households
    ADD CONSTRAINT households_address_id_fkey FOREIGN KEY (address_id) REFERENCES addresses(address_id);
ALTER TABLE ONLY household_members
    ADD CONSTRAINT household_members_household_id_fkey FOREIGN KEY (household_id) REFERENCES households(household_id);
ALTER TABLE ONLY household_members
    ADD CONSTRAINT household_members_resident_id_fkey FOREIGN KEY (resident_id) REFERENCES residents(resident_id);
ALTER TABLE ONLY documents
    ADD CONSTRAINT documents_resident_id_fkey FOREIGN KEY (resident_id) REFERENCES residents(resident_id);
ALTER TABLE ONLY documents
    ADD CONSTRAINT documents_type_code_fkey FOREIGN KEY (type_code) REFERENCES document_types(code);
ALTER TABLE ONLY deaths
    ADD CONSTRAINT deaths_resident_id_fkey FOREIGN KEY (resident_id) REFERENCES residents(resident_id);
ALTER TABLE ONLY moves
    ADD CONSTRAINT moves_resident_id_fkey FOREIGN KEY (resident_id) REFERENCES residents(resident_id);
ALTER TABLE ONLY fees
    ADD CONSTRAINT fees_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(document_id) ON DELETE SET NULL;

GRANT USAGE ON SCHEMA registry TO th_clerk, th_report, th_kiosk;
GRANT SELECT ON TABLE residents TO th_clerk;
GRANT SELECT, INSERT, UPDATE ON TABLE documents TO th_clerk;
GRANT SELECT ON TABLE age_groups TO th_report;
GRANT SELECT ON TABLE appointments TO th_kiosk;

--
-- PostgreSQL database dump complete
--
