--
-- PostgreSQL database dump
--

-- Dumped from database version 14.11
-- Dumped by pg_dump version 14.11

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

--
-- Name: btree_gist; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;


--
-- Name: array_sort(anyarray); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.array_sort(items anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT ARRAY(SELECT DISTINCT item FROM unnest(items) AS item ORDER BY item)
$$;


--
-- Name: crc32(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.crc32(word text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT ('x' || substr(md5(word), 1, 8))::bit(32)::bigint
$$;


--
-- Name: date_add(date, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.date_add(day date, workdays integer) RETURNS date
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT max(d)::date
      FROM (SELECT d FROM generate_series(day + 1, day + 2 * workdays + 3, interval '1 day') AS d
             WHERE date_part('isodow', d) < 6
             ORDER BY d LIMIT workdays) AS days
$$;


--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.json_value(document jsonb, member text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT document ->> member
$$;


--
-- Name: uuidv7(timestamp without time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uuidv7(moment timestamp without time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT (lpad(to_hex((date_part('epoch', moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(moment::text), 1, 19))::uuid
$$;


--
-- Name: log_rental_status(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.log_rental_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    bike_was text;
    event bigint;
BEGIN
    UPDATE public.bikes
       SET status = CASE NEW.status WHEN 'open' THEN 'rented' ELSE 'free' END,
           station_id = NEW.end_station_id
     WHERE id = NEW.bike_id
    RETURNING OLD.status INTO bike_was;

    INSERT INTO public.rental_events (rental_id, bike_status, rental_status, happened_at)
    VALUES (NEW.id, bike_was, NEW.status, timestamp '2025-03-01 12:00')
    RETURNING id INTO event;

    IF OLD.status = NEW.status THEN
        DELETE FROM public.rental_events WHERE id = event;
    END IF;
    RETURN NEW;
END
$$;


--
-- Name: close_damage(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_damage() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    bike_now text;
BEGIN
    IF OLD.done_on IS NULL AND NEW.done_on IS NOT NULL THEN
        UPDATE public.bikes
           SET status = 'free'
         WHERE id = NEW.bike_id
        RETURNING bikes.status INTO bike_now;
        UPDATE public.damage_reports SET muted = true WHERE bike_id = OLD.bike_id;
    END IF;
    RETURN NEW;
END
$$;


--
-- Name: station_title(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.station_title(station bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT s.code || ' ' || s.name FROM stations s WHERE s.id = station);
END
$$;


--
-- Name: model_title(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.model_title(model bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT m.maker || ' ' || m.name FROM public.bike_models m WHERE m.id = model);
END
$$;


--
-- Name: customer_title(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.customer_title(customer bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public'
    AS $$
BEGIN
    RETURN (SELECT c.name FROM customers c WHERE c.id = customer);
END
$$;


--
-- Name: normal_code(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.normal_code(code text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN upper(replace(code, '-', ''));
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    id integer NOT NULL,
    migration character varying(255) NOT NULL,
    batch integer NOT NULL
);


CREATE SEQUENCE public.migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id bigint NOT NULL,
    name character varying(255) NOT NULL,
    email character varying(255) NOT NULL,
    password character varying(255) NOT NULL,
    role character varying(20) DEFAULT 'clerk'::character varying NOT NULL,
    created_at timestamp(0) without time zone,
    updated_at timestamp(0) without time zone
);


CREATE SEQUENCE public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;


--
-- Name: stations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stations (
    id bigint NOT NULL,
    code character varying(10) NOT NULL,
    name character varying(120) NOT NULL,
    district character varying(80) NOT NULL,
    location point,
    docks smallint DEFAULT 4 NOT NULL,
    opened_on date
);


CREATE SEQUENCE public.stations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.stations_id_seq OWNED BY public.stations.id;


--
-- Name: bike_models; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bike_models (
    id bigint NOT NULL,
    name character varying(120) NOT NULL,
    maker character varying(120) NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    features text[] DEFAULT '{}'::text[] NOT NULL,
    payload_kg integer NOT NULL,
    volume_l integer GENERATED ALWAYS AS ((payload_kg * 3)) STORED
);


CREATE SEQUENCE public.bike_models_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.bike_models_id_seq OWNED BY public.bike_models.id;


--
-- Name: bikes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bikes (
    id bigint NOT NULL,
    model_id bigint NOT NULL,
    station_id bigint,
    code character varying(12) NOT NULL,
    frame_number character varying(40),
    status character varying(20) DEFAULT 'free'::character varying NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL
);


CREATE SEQUENCE public.bikes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.bikes_id_seq OWNED BY public.bikes.id;


--
-- Name: batteries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.batteries (
    id bigint NOT NULL,
    bike_id bigint,
    serial character varying(40) NOT NULL,
    charge numeric(4,1) DEFAULT 100 NOT NULL,
    cycles integer DEFAULT 0 NOT NULL
);


CREATE SEQUENCE public.batteries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.batteries_id_seq OWNED BY public.batteries.id;


--
-- Name: lock_modules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.lock_modules (
    id bigint NOT NULL,
    bike_id bigint NOT NULL,
    modem_ip inet NOT NULL,
    last_ip inet,
    used_during daterange NOT NULL,
    firmware character varying(20)
);


CREATE SEQUENCE public.lock_modules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.lock_modules_id_seq OWNED BY public.lock_modules.id;


--
-- Name: customers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.customers (
    id bigint NOT NULL,
    name character varying(160) NOT NULL,
    email character varying(160) NOT NULL,
    phone character varying(40),
    member_since date,
    notes jsonb DEFAULT '{}'::jsonb NOT NULL
);


CREATE SEQUENCE public.customers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.customers_id_seq OWNED BY public.customers.id;


--
-- Name: memberships; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.memberships (
    id bigint NOT NULL,
    customer_id bigint NOT NULL,
    plan character varying(20) NOT NULL,
    valid daterange NOT NULL
);


CREATE SEQUENCE public.memberships_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.memberships_id_seq OWNED BY public.memberships.id;


--
-- Name: rates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rates (
    id bigint NOT NULL,
    model_id bigint NOT NULL,
    per_hour numeric(6,2) NOT NULL,
    per_day numeric(6,2) NOT NULL,
    grace interval DEFAULT '00:10:00'::interval NOT NULL
);


CREATE SEQUENCE public.rates_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.rates_id_seq OWNED BY public.rates.id;


--
-- Name: rentals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rentals (
    id bigint NOT NULL,
    bike_id bigint NOT NULL,
    customer_id bigint NOT NULL,
    status character varying(20) DEFAULT 'open'::character varying NOT NULL,
    started_at timestamp(0) without time zone NOT NULL,
    ended_at timestamp(0) without time zone,
    start_station_id bigint,
    end_station_id bigint,
    price numeric(8,2)
);


CREATE SEQUENCE public.rentals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.rentals_id_seq OWNED BY public.rentals.id;


--
-- Name: rental_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rental_events (
    id bigint NOT NULL,
    rental_id bigint NOT NULL,
    bike_status character varying(20),
    rental_status character varying(20),
    happened_at timestamp(0) without time zone DEFAULT now() NOT NULL
);


CREATE SEQUENCE public.rental_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.rental_events_id_seq OWNED BY public.rental_events.id;


--
-- Name: payments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payments (
    id bigint NOT NULL,
    rental_id bigint NOT NULL,
    amount numeric(8,2) NOT NULL,
    method character varying(20) NOT NULL,
    paid_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.payments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.payments_id_seq OWNED BY public.payments.id;


--
-- Name: damage_reports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.damage_reports (
    id bigint NOT NULL,
    bike_id bigint NOT NULL,
    details jsonb NOT NULL,
    severity smallint DEFAULT 1 NOT NULL,
    muted boolean DEFAULT false NOT NULL,
    "ignore" boolean DEFAULT false NOT NULL,
    reported_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.damage_reports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.damage_reports_id_seq OWNED BY public.damage_reports.id;


--
-- Name: maintenance_jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.maintenance_jobs (
    id bigint NOT NULL,
    bike_id bigint NOT NULL,
    title character varying(160) NOT NULL,
    due_on date NOT NULL,
    done_on date,
    minutes integer
);


CREATE SEQUENCE public.maintenance_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.maintenance_jobs_id_seq OWNED BY public.maintenance_jobs.id;


--
-- Name: db_snapshots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.db_snapshots (
    id bigint NOT NULL,
    taken_at timestamp(0) without time zone NOT NULL,
    checkpoints_timed bigint,
    buffers_backend bigint,
    wal_sync_time double precision,
    op_bytes integer
);


CREATE SEQUENCE public.db_snapshots_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.db_snapshots_id_seq OWNED BY public.db_snapshots.id;


--
-- Name: telemetry_pings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.telemetry_pings (
    bike_id bigint NOT NULL,
    sent_at timestamp(0) without time zone NOT NULL,
    "position" point,
    speed real,
    charge numeric(4,1)
)
PARTITION BY RANGE (sent_at);


CREATE TABLE public.telemetry_pings_2025_01 (
    bike_id bigint NOT NULL,
    sent_at timestamp(0) without time zone NOT NULL,
    "position" point,
    speed real,
    charge numeric(4,1)
);
ALTER TABLE ONLY public.telemetry_pings ATTACH PARTITION public.telemetry_pings_2025_01 FOR VALUES FROM ('2025-01-01 00:00:00') TO ('2025-02-01 00:00:00');


CREATE TABLE public.telemetry_pings_2025_02 (
    bike_id bigint NOT NULL,
    sent_at timestamp(0) without time zone NOT NULL,
    "position" point,
    speed real,
    charge numeric(4,1)
);
ALTER TABLE ONLY public.telemetry_pings ATTACH PARTITION public.telemetry_pings_2025_02 FOR VALUES FROM ('2025-02-01 00:00:00') TO ('2025-03-01 00:00:00');


--
-- Name: cache_locks; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.cache_locks (
    key character varying(255) NOT NULL,
    owner character varying(255) NOT NULL,
    expiration integer NOT NULL
);


--
-- Name: station_ranking; Type: MATERIALIZED VIEW; Schema: public; Owner: -
--

CREATE MATERIALIZED VIEW public.station_ranking AS
 SELECT rentals.start_station_id AS station_id,
    public.station_title(rentals.start_station_id) AS title,
    count(*) AS rentals
   FROM public.rentals
  WHERE (rentals.start_station_id IS NOT NULL)
  GROUP BY rentals.start_station_id
  WITH NO DATA;


--
-- Name: model_ranking; Type: MATERIALIZED VIEW; Schema: public; Owner: -
--

CREATE MATERIALIZED VIEW public.model_ranking AS
 SELECT bikes.model_id,
    public.model_title(bikes.model_id) AS title,
    count(*) AS rentals
   FROM (public.rentals
     JOIN public.bikes ON ((bikes.id = rentals.bike_id)))
  GROUP BY bikes.model_id
  WITH NO DATA;


--
-- Name: customer_ranking; Type: MATERIALIZED VIEW; Schema: public; Owner: -
--

CREATE MATERIALIZED VIEW public.customer_ranking AS
 SELECT rentals.customer_id,
    public.customer_title(rentals.customer_id) AS title,
    sum(rentals.price) AS spent
   FROM public.rentals
  GROUP BY rentals.customer_id
  WITH NO DATA;


--
-- Name: open_damages; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.open_damages AS
 SELECT damage_reports.id,
    damage_reports.bike_id,
    public.json_value(damage_reports.details, 'part'::text) AS part,
    damage_reports.severity
   FROM public.damage_reports
  WHERE ((NOT damage_reports.muted) AND (NOT damage_reports."ignore"));


ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);
ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);
ALTER TABLE ONLY public.stations ALTER COLUMN id SET DEFAULT nextval('public.stations_id_seq'::regclass);
ALTER TABLE ONLY public.bike_models ALTER COLUMN id SET DEFAULT nextval('public.bike_models_id_seq'::regclass);
ALTER TABLE ONLY public.bikes ALTER COLUMN id SET DEFAULT nextval('public.bikes_id_seq'::regclass);
ALTER TABLE ONLY public.batteries ALTER COLUMN id SET DEFAULT nextval('public.batteries_id_seq'::regclass);
ALTER TABLE ONLY public.lock_modules ALTER COLUMN id SET DEFAULT nextval('public.lock_modules_id_seq'::regclass);
ALTER TABLE ONLY public.customers ALTER COLUMN id SET DEFAULT nextval('public.customers_id_seq'::regclass);
ALTER TABLE ONLY public.memberships ALTER COLUMN id SET DEFAULT nextval('public.memberships_id_seq'::regclass);
ALTER TABLE ONLY public.rates ALTER COLUMN id SET DEFAULT nextval('public.rates_id_seq'::regclass);
ALTER TABLE ONLY public.rentals ALTER COLUMN id SET DEFAULT nextval('public.rentals_id_seq'::regclass);
ALTER TABLE ONLY public.rental_events ALTER COLUMN id SET DEFAULT nextval('public.rental_events_id_seq'::regclass);
ALTER TABLE ONLY public.payments ALTER COLUMN id SET DEFAULT nextval('public.payments_id_seq'::regclass);
ALTER TABLE ONLY public.damage_reports ALTER COLUMN id SET DEFAULT nextval('public.damage_reports_id_seq'::regclass);
ALTER TABLE ONLY public.maintenance_jobs ALTER COLUMN id SET DEFAULT nextval('public.maintenance_jobs_id_seq'::regclass);
ALTER TABLE ONLY public.db_snapshots ALTER COLUMN id SET DEFAULT nextval('public.db_snapshots_id_seq'::regclass);


ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stations
    ADD CONSTRAINT stations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bike_models
    ADD CONSTRAINT bike_models_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bikes
    ADD CONSTRAINT bikes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.batteries
    ADD CONSTRAINT batteries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lock_modules
    ADD CONSTRAINT lock_modules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rates
    ADD CONSTRAINT rates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rentals
    ADD CONSTRAINT rentals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rental_events
    ADD CONSTRAINT rental_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.damage_reports
    ADD CONSTRAINT damage_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.maintenance_jobs
    ADD CONSTRAINT maintenance_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.db_snapshots
    ADD CONSTRAINT db_snapshots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.cache_locks
    ADD CONSTRAINT cache_locks_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);

ALTER TABLE ONLY public.stations
    ADD CONSTRAINT stations_code_unique UNIQUE (code);


--
-- Name: lock_modules lock_modules_modem_ip_used_during_excl; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.lock_modules
    ADD CONSTRAINT lock_modules_modem_ip_used_during_excl
    EXCLUDE USING gist (
        modem_ip WITH =,
        used_during WITH &&
    );


--
-- Name: memberships memberships_customer_id_valid_excl; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_customer_id_valid_excl
    EXCLUDE USING gist (
        customer_id WITH =,
        valid WITH &&
    );


CREATE INDEX lock_modules_last_ip_index ON public.lock_modules USING gist (last_ip inet_ops);

CREATE INDEX lock_modules_modem_ip_index ON public.lock_modules USING btree (modem_ip);

CREATE UNIQUE INDEX bikes_normal_code_unique ON public.bikes USING btree (public.normal_code((code)::text));

CREATE INDEX bikes_status_index ON public.bikes USING btree (status);

CREATE INDEX bike_models_search_index ON public.bike_models USING gin (to_tsvector('simple'::regconfig, description));

CREATE INDEX rentals_bike_id_index ON public.rentals USING btree (bike_id);

CREATE INDEX rentals_customer_id_index ON public.rentals USING btree (customer_id);

CREATE INDEX rentals_started_at_index ON public.rentals USING brin (started_at);

CREATE INDEX telemetry_pings_2025_01_bike_id_index ON public.telemetry_pings_2025_01 USING btree (bike_id);

CREATE INDEX telemetry_pings_2025_02_bike_id_index ON public.telemetry_pings_2025_02 USING btree (bike_id);


CREATE TRIGGER log_rental_status AFTER UPDATE OF status ON public.rentals FOR EACH ROW EXECUTE FUNCTION public.log_rental_status();

CREATE TRIGGER close_damage AFTER UPDATE OF done_on ON public.maintenance_jobs FOR EACH ROW EXECUTE FUNCTION public.close_damage();


ALTER TABLE ONLY public.bikes
    ADD CONSTRAINT bikes_model_id_foreign FOREIGN KEY (model_id) REFERENCES public.bike_models(id);

ALTER TABLE ONLY public.bikes
    ADD CONSTRAINT bikes_station_id_foreign FOREIGN KEY (station_id) REFERENCES public.stations(id);

ALTER TABLE ONLY public.batteries
    ADD CONSTRAINT batteries_bike_id_foreign FOREIGN KEY (bike_id) REFERENCES public.bikes(id);

ALTER TABLE ONLY public.lock_modules
    ADD CONSTRAINT lock_modules_bike_id_foreign FOREIGN KEY (bike_id) REFERENCES public.bikes(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_customer_id_foreign FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.rates
    ADD CONSTRAINT rates_model_id_foreign FOREIGN KEY (model_id) REFERENCES public.bike_models(id);

ALTER TABLE ONLY public.rentals
    ADD CONSTRAINT rentals_bike_id_foreign FOREIGN KEY (bike_id) REFERENCES public.bikes(id);

ALTER TABLE ONLY public.rentals
    ADD CONSTRAINT rentals_customer_id_foreign FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.rental_events
    ADD CONSTRAINT rental_events_rental_id_foreign FOREIGN KEY (rental_id) REFERENCES public.rentals(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_rental_id_foreign FOREIGN KEY (rental_id) REFERENCES public.rentals(id);

ALTER TABLE ONLY public.damage_reports
    ADD CONSTRAINT damage_reports_bike_id_foreign FOREIGN KEY (bike_id) REFERENCES public.bikes(id);

ALTER TABLE ONLY public.maintenance_jobs
    ADD CONSTRAINT maintenance_jobs_bike_id_foreign FOREIGN KEY (bike_id) REFERENCES public.bikes(id);

--
-- PostgreSQL database dump complete
--
