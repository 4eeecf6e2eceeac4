--
-- ferrydesk baseline, revision 0013
--

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;

CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE TYPE public.reservation_state AS ENUM ('draft', 'held', 'paid', 'boarded', 'cancelled');
CREATE TYPE public.deck_kind AS ENUM ('passenger', 'car', 'freight');

CREATE TEXT SEARCH CONFIGURATION public.greek (COPY = pg_catalog.simple);
COMMENT ON TEXT SEARCH CONFIGURATION public.greek IS 'notices in Greek: words as they are, no stemming';

--
-- Functions
--

CREATE FUNCTION public.normalize(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
    SELECT upper(regexp_replace($1, '[^[:alnum:]]', '', 'g'))
$_$;

CREATE FUNCTION public.normalize_phone(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
    SELECT regexp_replace($1, '[^0-9+]', '', 'g')
$_$;

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END;
$$;

CREATE FUNCTION public.vehicle_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- the gate compares plates without blanks and hyphens
    IF NEW.plate IS DISTINCT FROM '' THEN
        NEW.plate_key := normalize(NEW.plate);
    END IF;
    RETURN NEW;
END;
$$;

CREATE FUNCTION public.customer_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- normalize once here, search by the keys everywhere
    NEW.name_key := public.normalize(NEW.full_name);
    NEW.phone_key := normalize_phone(NEW.phone);
    RETURN NEW;
END;
$$;

CREATE FUNCTION public.audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO public.audit_log (actor, table_name, action, row_id)
    VALUES (coalesce(nullif(current_setting('ferrydesk.agent', true), ''), session_user::text), TG_TABLE_NAME, TG_OP, NEW.id);
    RETURN NULL;
END;
$$;

CREATE FUNCTION public.append_distinct(integer[], integer) RETURNS integer[]
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT CASE WHEN $2 = ANY ($1) OR $2 IS NULL THEN $1 ELSE $1 || $2 END
$_$;

CREATE AGGREGATE public.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE AGGREGATE public.collect_lanes(integer) (
    SFUNC = array_append, STYPE = integer[], INITCOND = '{}'
);

CREATE AGGREGATE public.collect_distinct(integer) (
    SFUNC = public.append_distinct,
    STYPE = integer[],
    INITCOND = '{}'
);

COMMENT ON AGGREGATE public.collect_distinct(integer) IS 'like array_append on anyarray, but each number once';

CREATE FUNCTION public.date_bin(interval, timestamp with time zone, timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT $3 + floor(date_part('epoch', $2 - $3) / date_part('epoch', $1)) * $1
$_$;

SET default_table_access_method = heap;

--
-- Network and fleet
--

CREATE TABLE public.ports (
    id integer NOT NULL,
    code character varying(5) NOT NULL,
    name text NOT NULL,
    country character(2) DEFAULT 'GR' NOT NULL,
    tz text DEFAULT 'Europe/Athens' NOT NULL,
    berth point,
    roads circle
);

CREATE TABLE public.routes (
    id integer NOT NULL,
    from_port integer NOT NULL,
    to_port integer NOT NULL,
    miles numeric(6,1) NOT NULL,
    seasonal boolean DEFAULT false NOT NULL,
    CONSTRAINT routes_two_ports CHECK (from_port <> to_port)
);

CREATE TABLE public.crossings (
    id integer NOT NULL,
    route_id integer NOT NULL,
    label text NOT NULL,
    departs time without time zone NOT NULL,
    duration interval NOT NULL,
    check_in interval DEFAULT '00:30:00' NOT NULL,
    weekdays integer[] DEFAULT '{1,2,3,4,5,6,7}' NOT NULL
);

CREATE TABLE public.vessels (
    id integer NOT NULL,
    name text NOT NULL,
    imo_number integer,
    call_sign character varying(8),
    seats integer NOT NULL,
    lane_metres integer DEFAULT 0 NOT NULL,
    built date
);

CREATE TABLE public.vessel_decks (
    vessel_id integer NOT NULL,
    deck_no integer NOT NULL,
    kind public.deck_kind NOT NULL,
    height_cm integer,
    lanes integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.sailings (
    id integer NOT NULL,
    crossing_id integer NOT NULL,
    vessel_id integer NOT NULL,
    sails_on date NOT NULL,
    departs_at timestamp with time zone NOT NULL,
    arrives_at timestamp with time zone NOT NULL,
    departed_at timestamp with time zone,
    seats_left integer NOT NULL,
    lane_metres_left integer NOT NULL,
    cancelled boolean DEFAULT false NOT NULL,
    CONSTRAINT sailings_in_order CHECK (arrives_at > departs_at)
);

CREATE TABLE public.position_reports (
    vessel_id integer NOT NULL,
    reported_at timestamp with time zone NOT NULL,
    at_position point NOT NULL,
    speed_ms numeric(5,2) NOT NULL,
    knots numeric GENERATED ALWAYS AS (round(speed_ms * 1.943844, 1)) STORED
)
PARTITION BY RANGE (reported_at);

CREATE TABLE public.position_reports_2023 (
    vessel_id integer NOT NULL,
    reported_at timestamp with time zone NOT NULL,
    at_position point NOT NULL,
    speed_ms numeric(5,2) NOT NULL,
    knots numeric GENERATED ALWAYS AS (round((speed_ms * 1.943844), 1)) STORED
);
ALTER TABLE ONLY public.position_reports ATTACH PARTITION public.position_reports_2023
    FOR VALUES FROM ('2023-01-01 00:00:00+00') TO ('2024-01-01 00:00:00+00');

CREATE TABLE public.position_reports_2024 PARTITION OF public.position_reports
    FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');

--
-- Customers and reservations
--

CREATE TABLE public.customers (
    id integer NOT NULL,
    full_name text NOT NULL,
    name_key text,
    email text NOT NULL,
    phone text,
    phone_key text,
    lang text DEFAULT 'greek' NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.vehicles (
    id integer NOT NULL,
    customer_id integer NOT NULL,
    plate text NOT NULL,
    plate_key text,
    length_cm integer NOT NULL,
    height_cm integer NOT NULL
);

CREATE TABLE public.reservations (
    id integer NOT NULL,
    reference text NOT NULL,
    customer_id integer NOT NULL,
    sailing_id integer NOT NULL,
    vehicle_id integer,
    state public.reservation_state DEFAULT 'draft' NOT NULL,
    held_until timestamp with time zone,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.passengers (
    id integer NOT NULL,
    reservation_id integer NOT NULL,
    full_name text NOT NULL,
    born date,
    seat text,
    normalize boolean DEFAULT true NOT NULL
);

CREATE TABLE public.charges (
    id integer NOT NULL,
    reservation_id integer NOT NULL,
    net numeric(10,2) NOT NULL,
    vat numeric(4,3) DEFAULT 0.240 NOT NULL,
    gross numeric(10,2)
);

CREATE TABLE public.vehicle_charges (
    lane_metres numeric(6,2) NOT NULL,
    gross numeric(10,2) GENERATED ALWAYS AS (round((net * (1 + vat)), 2)) STORED
)
INHERITS (public.charges);

CREATE TABLE public.cabin_charges (
    nights integer DEFAULT 1 NOT NULL,
    gross numeric(10,2),
    per_night numeric(10,2) GENERATED ALWAYS AS (round((net / nights), 2)) STORED
)
INHERITS (public.charges);

CREATE TABLE public.payments (
    id integer NOT NULL,
    reservation_id integer NOT NULL,
    amount numeric(10,2) NOT NULL,
    method text NOT NULL,
    paid_at timestamp with time zone DEFAULT now() NOT NULL,
    total_time integer
);

CREATE TABLE public.loyalty_cards (
    id integer NOT NULL,
    customer_id integer NOT NULL,
    number text NOT NULL,
    issued_on date NOT NULL,
    points integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.notices (
    id integer NOT NULL,
    port_id integer,
    title text NOT NULL,
    body text NOT NULL,
    lang text DEFAULT 'greek' NOT NULL,
    shown_from timestamp with time zone DEFAULT now() NOT NULL,
    shown_until timestamp with time zone
);

CREATE TABLE public.system_users (
    id integer NOT NULL,
    login text NOT NULL,
    display_name text NOT NULL,
    port_id integer,
    active boolean DEFAULT true NOT NULL,
    last_seen timestamp with time zone
);

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    table_name text NOT NULL,
    action text NOT NULL,
    row_id bigint
);

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    topic text NOT NULL,
    payload jsonb DEFAULT '{}' NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL
);

CREATE SEQUENCE public.audit_log_id_seq OWNED BY public.audit_log.id;
ALTER TABLE ONLY public.audit_log ALTER COLUMN id SET DEFAULT nextval('public.audit_log_id_seq'::regclass);
CREATE SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
CREATE SEQUENCE public.reservations_id_seq START WITH 1000 OWNED BY public.reservations.id;
ALTER TABLE ONLY public.reservations ALTER COLUMN id SET DEFAULT nextval('public.reservations_id_seq'::regclass);
CREATE SEQUENCE public.charges_id_seq START WITH 1000 OWNED BY public.charges.id;
ALTER TABLE ONLY public.charges ALTER COLUMN id SET DEFAULT nextval('public.charges_id_seq'::regclass);

--
-- Keys
--

ALTER TABLE ONLY public.ports ADD CONSTRAINT ports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ports ADD CONSTRAINT ports_code_key UNIQUE (code);
ALTER TABLE ONLY public.routes ADD CONSTRAINT routes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.crossings ADD CONSTRAINT crossings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vessels ADD CONSTRAINT vessels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vessel_decks ADD CONSTRAINT vessel_decks_pkey PRIMARY KEY (vessel_id, deck_no);
ALTER TABLE ONLY public.sailings ADD CONSTRAINT sailings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customers ADD CONSTRAINT customers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vehicles ADD CONSTRAINT vehicles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reservations ADD CONSTRAINT reservations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reservations ADD CONSTRAINT reservations_reference_key UNIQUE (reference);
ALTER TABLE ONLY public.passengers ADD CONSTRAINT passengers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.charges ADD CONSTRAINT charges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments ADD CONSTRAINT payments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.loyalty_cards ADD CONSTRAINT loyalty_cards_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notices ADD CONSTRAINT notices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.system_users ADD CONSTRAINT system_users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.system_users ADD CONSTRAINT system_users_login_key UNIQUE (login);
ALTER TABLE ONLY public.audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.routes ADD CONSTRAINT routes_from_fkey FOREIGN KEY (from_port) REFERENCES public.ports(id);
ALTER TABLE ONLY public.routes ADD CONSTRAINT routes_to_fkey FOREIGN KEY (to_port) REFERENCES public.ports(id);
ALTER TABLE ONLY public.crossings ADD CONSTRAINT crossings_route_fkey FOREIGN KEY (route_id) REFERENCES public.routes(id);
ALTER TABLE ONLY public.vessel_decks ADD CONSTRAINT vessel_decks_vessel_fkey FOREIGN KEY (vessel_id) REFERENCES public.vessels(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sailings ADD CONSTRAINT sailings_crossing_fkey FOREIGN KEY (crossing_id) REFERENCES public.crossings(id);
ALTER TABLE ONLY public.sailings ADD CONSTRAINT sailings_vessel_fkey FOREIGN KEY (vessel_id) REFERENCES public.vessels(id);
ALTER TABLE ONLY public.vehicles ADD CONSTRAINT vehicles_customer_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);
ALTER TABLE ONLY public.reservations ADD CONSTRAINT reservations_customer_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);
ALTER TABLE ONLY public.reservations ADD CONSTRAINT reservations_sailing_fkey FOREIGN KEY (sailing_id) REFERENCES public.sailings(id);
ALTER TABLE ONLY public.reservations ADD CONSTRAINT reservations_vehicle_fkey FOREIGN KEY (vehicle_id) REFERENCES public.vehicles(id);
ALTER TABLE ONLY public.passengers ADD CONSTRAINT passengers_reservation_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.charges ADD CONSTRAINT charges_reservation_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id);
ALTER TABLE ONLY public.payments ADD CONSTRAINT payments_reservation_fkey FOREIGN KEY (reservation_id) REFERENCES public.reservations(id);
ALTER TABLE ONLY public.loyalty_cards ADD CONSTRAINT loyalty_cards_customer_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

-- no vessel in two places
ALTER TABLE ONLY public.sailings ADD CONSTRAINT sailings_vessel_once
    EXCLUDE USING gist (vessel_id WITH =, tstzrange(departs_at, arrives_at) WITH &&) WHERE (NOT cancelled);

--
-- Indexes
--

CREATE INDEX crossings_route_idx ON public.crossings USING btree (route_id, departs);
CREATE INDEX crossings_duration_text_idx ON public.crossings USING btree (((duration)::text) text_pattern_ops);
CREATE INDEX crossings_check_in_idx ON public.crossings USING btree (check_in);
CREATE INDEX crossings_minutes_idx ON public.crossings USING btree ((date_part('epoch'::text, duration) / (60)::double precision));
CREATE INDEX vessel_decks_no_idx ON public.vessel_decks USING btree (((deck_no)::text));
CREATE INDEX sailings_departs_idx ON public.sailings USING btree (departs_at) WHERE (NOT cancelled);
CREATE INDEX customers_name_key_idx ON public.customers USING btree (name_key text_pattern_ops);
CREATE UNIQUE INDEX customers_email_key ON public.customers USING btree (lower(email));
CREATE INDEX customers_initials_idx ON public.customers USING btree (public.normalize(full_name));
CREATE INDEX vehicles_plate_key_idx ON public.vehicles USING btree (plate_key);
CREATE INDEX reservations_held_idx ON public.reservations USING btree (held_until) WHERE (state = 'held'::public.reservation_state);
CREATE INDEX notices_public_greek_idx ON public.notices USING gin (to_tsvector('public.greek'::regconfig, body));
CREATE INDEX notices_simple_idx ON public.notices USING gin (to_tsvector('simple'::regconfig, title));
CREATE INDEX outbox_due_idx ON public.outbox USING btree (run_at) WHERE (sent_at IS NULL);

--
-- Views
--

CREATE VIEW public.timetable AS
 SELECT c.id,
    f.code AS from_code,
    t.code AS to_code,
    c.departs,
    (c.duration)::text AS duration_text,
    date_part('epoch', c.duration) / 60 AS minutes,
    c.weekdays
   FROM (((public.crossings c
     JOIN public.routes r ON ((r.id = c.route_id)))
     JOIN public.ports f ON ((f.id = r.from_port)))
     JOIN public.ports t ON ((t.id = r.to_port)));

CREATE VIEW public.desk_staff AS
 SELECT u.id,
    u.login AS system_user,
    u.display_name,
    p.code AS port
   FROM (public.system_users u
     LEFT JOIN public.ports p ON ((p.id = u.port_id)))
  WHERE u.active;

CREATE VIEW public.open_balances AS
 SELECT r.id,
    r.reference,
    coalesce(sum(c.gross), 0) AS due,
    coalesce((SELECT sum(p.amount) FROM public.payments p WHERE p.reservation_id = r.id), 0) AS paid
   FROM (public.reservations r
     LEFT JOIN public.charges c ON ((c.reservation_id = r.id)))
  WHERE r.state <> 'cancelled'
  GROUP BY r.id, r.reference;

--
-- Triggers
--

CREATE TRIGGER vehicles_keys BEFORE INSERT OR UPDATE ON public.vehicles FOR EACH ROW EXECUTE FUNCTION public.vehicle_keys();
CREATE TRIGGER customers_keys BEFORE INSERT OR UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION public.customer_keys();
CREATE TRIGGER customers_touch BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION public.touch();
CREATE TRIGGER reservations_touch BEFORE UPDATE ON public.reservations FOR EACH ROW EXECUTE FUNCTION public.touch();
CREATE TRIGGER reservations_audit AFTER INSERT OR UPDATE ON public.reservations FOR EACH ROW EXECUTE FUNCTION public.audit();
