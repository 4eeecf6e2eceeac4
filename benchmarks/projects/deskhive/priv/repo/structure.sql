--
-- PostgreSQL database dump
--

-- Dumped from database version 14.11 (Debian 14.11-1.pgdg120+2)
-- Dumped by pg_dump version 14.11 (Debian 14.11-1.pgdg120+2)

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
-- Name: citext; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;


--
-- Name: pg_stat_statements; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_stat_statements WITH SCHEMA public;


--
-- Name: booking_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.booking_status AS ENUM (
    'held',
    'confirmed',
    'checked_in',
    'cancelled',
    'no_show'
);


--
-- Name: array_sort(anyarray); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.array_sort(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
  SELECT array_agg(DISTINCT item ORDER BY item) FROM unnest($1) AS item WHERE item IS NOT NULL
$_$;


--
-- Name: crc32(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.crc32(badge text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT
    AS $_$
  SELECT ('x' || substr(md5($1), 1, 7))::bit(28)::integer
$_$;


--
-- Name: date_add(date, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.date_add(starts_on date, working_days integer) RETURNS date
    LANGUAGE sql STABLE
    AS $_$
  SELECT max(day)::date
    FROM (SELECT day
            FROM generate_series($1 + 1, $1 + 2 * $2 + 7, interval '1 day') AS day
           WHERE extract(isodow FROM day) < 6
           ORDER BY day
           LIMIT $2) AS days
$_$;


--
-- Name: touch_occupancy(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_occupancy() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE public.spaces
     SET last_booked_at = greatest(last_booked_at, NEW.inserted_at)
   WHERE id = NEW.space_id;
  RETURN NEW;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: locations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.locations (
    id bigint NOT NULL,
    slug public.citext NOT NULL,
    name text NOT NULL,
    city text NOT NULL,
    time_zone text DEFAULT 'Europe/Amsterdam'::text NOT NULL,
    opened_on date,
    amenities text[] DEFAULT '{}'::text[] NOT NULL,
    inserted_at timestamp(0) without time zone NOT NULL,
    updated_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.locations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.locations_id_seq OWNED BY public.locations.id;


--
-- Name: areas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.areas (
    id bigint NOT NULL,
    location_id bigint NOT NULL,
    parent text,
    name text NOT NULL,
    level integer DEFAULT 0 NOT NULL
);


CREATE SEQUENCE public.areas_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.areas_id_seq OWNED BY public.areas.id;


--
-- Name: spaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spaces (
    id bigint NOT NULL,
    location_id bigint NOT NULL,
    area_id bigint,
    kind text NOT NULL,
    label text NOT NULL,
    seats integer DEFAULT 1 NOT NULL,
    features text[] DEFAULT '{}'::text[] NOT NULL,
    hourly_rate numeric(8,2),
    last_booked_at timestamp(0) without time zone,
    CONSTRAINT spaces_seats_positive CHECK ((seats > 0))
);


CREATE SEQUENCE public.spaces_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.spaces_id_seq OWNED BY public.spaces.id;


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id bigint NOT NULL,
    email public.citext NOT NULL,
    full_name text NOT NULL,
    role text DEFAULT 'member'::text NOT NULL,
    inserted_at timestamp(0) without time zone NOT NULL,
    updated_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;


--
-- Name: memberships; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.memberships (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    location_id bigint NOT NULL,
    plan text NOT NULL,
    monthly_fee numeric(10,2) NOT NULL,
    starts_on date NOT NULL,
    ends_on date,
    notice_period interval DEFAULT '1 mon'::interval NOT NULL,
    badge_code text,
    inserted_at timestamp(0) without time zone NOT NULL,
    updated_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.memberships_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.memberships_id_seq OWNED BY public.memberships.id;


--
-- Name: bookings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bookings (
    id bigint NOT NULL,
    space_id bigint NOT NULL,
    user_id bigint NOT NULL,
    created_by_id bigint,
    status public.booking_status DEFAULT 'held'::public.booking_status NOT NULL,
    during tstzrange NOT NULL,
    price numeric(10,2) DEFAULT 0 NOT NULL,
    notes text,
    source text DEFAULT 'web'::text NOT NULL,
    inserted_at timestamp(0) without time zone NOT NULL,
    updated_at timestamp(0) without time zone NOT NULL
);


CREATE SEQUENCE public.bookings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.bookings_id_seq OWNED BY public.bookings.id;


--
-- Name: access_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.access_events (
    location_id bigint NOT NULL,
    membership_id bigint,
    door text NOT NULL,
    granted boolean NOT NULL,
    happened_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (happened_at);


CREATE TABLE public.access_events_2023 PARTITION OF public.access_events
FOR VALUES FROM ('2023-01-01 00:00:00+00') TO ('2024-01-01 00:00:00+00');

CREATE TABLE public.access_events_2024 PARTITION OF public.access_events
FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');

CREATE TABLE public.access_events_default PARTITION OF public.access_events DEFAULT;


--
-- Name: invoices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invoices (
    id bigint NOT NULL,
    membership_id bigint NOT NULL,
    number text NOT NULL,
    issued_on date NOT NULL,
    due_on date NOT NULL,
    net numeric(12,2) NOT NULL,
    vat numeric(12,2) NOT NULL,
    gross numeric(12,2) GENERATED ALWAYS AS ((net + vat)) STORED,
    paid_at timestamp(0) without time zone
);


CREATE SEQUENCE public.invoices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.invoices_id_seq OWNED BY public.invoices.id;


--
-- Name: nexus_staging; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.nexus_staging (
    nexus_id bigint,
    email text,
    payload jsonb,
    loaded_at timestamp(0) without time zone DEFAULT now()
);


--
-- Name: occupancy_by_day; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.occupancy_by_day AS
 SELECT s.location_id,
    (date_trunc('day'::text, lower(b.during)))::date AS day,
    count(DISTINCT b.space_id) AS spaces_used,
    sum(b.price) AS revenue
   FROM (public.bookings b
     JOIN public.spaces s ON ((s.id = b.space_id)))
  WHERE (b.status = ANY (ARRAY['confirmed'::public.booking_status, 'checked_in'::public.booking_status]))
  GROUP BY s.location_id, ((date_trunc('day'::text, lower(b.during)))::date);


CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    inserted_at timestamp(0) without time zone
);


ALTER TABLE ONLY public.areas ALTER COLUMN id SET DEFAULT nextval('public.areas_id_seq'::regclass);
ALTER TABLE ONLY public.bookings ALTER COLUMN id SET DEFAULT nextval('public.bookings_id_seq'::regclass);
ALTER TABLE ONLY public.invoices ALTER COLUMN id SET DEFAULT nextval('public.invoices_id_seq'::regclass);
ALTER TABLE ONLY public.locations ALTER COLUMN id SET DEFAULT nextval('public.locations_id_seq'::regclass);
ALTER TABLE ONLY public.memberships ALTER COLUMN id SET DEFAULT nextval('public.memberships_id_seq'::regclass);
ALTER TABLE ONLY public.spaces ALTER COLUMN id SET DEFAULT nextval('public.spaces_id_seq'::regclass);
ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);


ALTER TABLE ONLY public.areas
    ADD CONSTRAINT areas_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_no_overlap EXCLUDE USING gist (space_id WITH =, during WITH &&) WHERE ((status <> 'cancelled'::public.booking_status));

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.locations
    ADD CONSTRAINT locations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


CREATE INDEX access_events_location_id_happened_at_index ON public.access_events USING btree (location_id, happened_at);

CREATE INDEX bookings_user_id_index ON public.bookings USING btree (user_id);

CREATE UNIQUE INDEX invoices_number_index ON public.invoices USING btree (number);

CREATE UNIQUE INDEX locations_slug_index ON public.locations USING btree (slug);

CREATE INDEX memberships_badge_hash_index ON public.memberships USING btree (public.crc32(badge_code));

CREATE INDEX memberships_notice_days_index ON public.memberships USING btree (EXTRACT(epoch FROM notice_period));

CREATE INDEX memberships_notice_label_index ON public.memberships USING btree (location_id, ((notice_period)::text));

CREATE UNIQUE INDEX users_email_index ON public.users USING btree (email);


CREATE TRIGGER bookings_touch_occupancy AFTER INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.touch_occupancy();


ALTER TABLE ONLY public.areas
    ADD CONSTRAINT areas_location_id_fkey FOREIGN KEY (location_id) REFERENCES public.locations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_space_id_fkey FOREIGN KEY (space_id) REFERENCES public.spaces(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_membership_id_fkey FOREIGN KEY (membership_id) REFERENCES public.memberships(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_location_id_fkey FOREIGN KEY (location_id) REFERENCES public.locations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_location_id_fkey FOREIGN KEY (location_id) REFERENCES public.locations(id);


--
-- PostgreSQL database dump complete
--

INSERT INTO public."schema_migrations" (version) VALUES (20210304091500);
INSERT INTO public."schema_migrations" (version) VALUES (20220117134200);
INSERT INTO public."schema_migrations" (version) VALUES (20230622080000);
