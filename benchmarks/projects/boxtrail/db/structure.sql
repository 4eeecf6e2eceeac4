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
-- Name: pgcrypto; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;


--
-- Name: array_sort(anyarray); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.array_sort(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT array_agg(DISTINCT e ORDER BY e) FROM unnest($1) AS e
$_$;


--
-- Name: check_digit(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_digit(box text) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'public'
    AS $$
DECLARE
  total integer := 0;
BEGIN
  FOR i IN 1..10 LOOP
    total := total + iso6346_value(substr(box, i, 1)) * (2 ^ (i - 1))::integer;
  END LOOP;
  RETURN total % 11 % 10;
END
$$;


--
-- Name: close_stale_holds(date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_stale_holds(before date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  stale CURSOR FOR SELECT id FROM public.holds WHERE released_on IS NULL AND placed_on < before;
  closed integer := 0;
BEGIN
  FOR hold IN stale LOOP
    UPDATE public.holds SET released_on = before WHERE id = hold.id;
    closed := closed + 1;
  END LOOP;
  RETURN closed;
END
$$;


--
-- Name: iso6346_value(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.iso6346_value(sign text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN sign ~ '^[0-9]$' THEN sign::integer
              ELSE (ascii(upper(sign)) - 55) + (ascii(upper(sign)) - 56) / 10 END
$$;


--
-- Name: json_value(jsonb, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT nullif(btrim(doc ->> key), '')
$$;


--
-- Name: open_settlement(date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_settlement(month date) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
  settlement_lines CURSOR (first date) FOR
    SELECT i.number, i.issued_on, l.description, l.amount
      FROM public.invoices i
      JOIN public.invoice_lines l ON l.invoice_id = i.id
     WHERE i.issued_on >= first AND i.issued_on < first + interval '1 month'
     ORDER BY i.number, l.id;
BEGIN
  OPEN settlement_lines(month);
  RETURN settlement_lines;
END
$$;


--
-- Name: sample_server(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.sample_server() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  sample bigint;
BEGIN
  INSERT INTO public.server_samples (taken_at, buffers_alloc, buffers_written, commits)
  SELECT clock_timestamp(),
         b.buffers_alloc,
         b.buffers_clean + b.buffers_backend,
         d.xact_commit
    FROM pg_stat_bgwriter b
    CROSS JOIN pg_stat_database d
   WHERE d.datname = current_database()
  RETURNING id INTO sample;
  RETURN sample;
END
$$;


--
-- Name: uuidv7(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uuidv7() RETURNS uuid
    LANGUAGE sql
    AS $$
  SELECT encode(
           overlay(uuid_send(gen_random_uuid())
                   PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                   FROM 1 FOR 6),
           'hex')::uuid
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    email character varying NOT NULL,
    password_digest character varying,
    "system_user" boolean DEFAULT false NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone DEFAULT now() NOT NULL
);


--
-- Name: accounts_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.accounts_id_seq OWNED BY public.accounts.id;


--
-- Name: ar_internal_metadata; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ar_internal_metadata (
    key character varying NOT NULL,
    value character varying,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


--
-- Name: carrier_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.carrier_messages (
    id uuid DEFAULT public.uuidv7() NOT NULL,
    carrier character varying NOT NULL,
    payload jsonb NOT NULL,
    digest text GENERATED ALWAYS AS (md5((payload)::text)) STORED,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: containers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.containers (
    id bigint NOT NULL,
    number character varying NOT NULL,
    size_type character varying DEFAULT '22G1'::character varying NOT NULL,
    tag_list text DEFAULT ''::text NOT NULL,
    tag_vector tsvector,
    seal_numbers text[] DEFAULT '{}'::text[] NOT NULL,
    tare_kg integer,
    terminal_id bigint
);


--
-- Name: containers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.containers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.containers_id_seq OWNED BY public.containers.id;


--
-- Name: edi_buffers; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.edi_buffers (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    line text NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: gate_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.gate_events (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    container_id bigint NOT NULL,
    terminal_id bigint NOT NULL,
    kind character varying NOT NULL,
    lane smallint,
    happened_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (happened_at);


--
-- Name: gate_events_2023; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.gate_events_2023 PARTITION OF public.gate_events
FOR VALUES FROM ('2023-01-01 00:00:00+08') TO ('2024-01-01 00:00:00+08');


--
-- Name: gate_events_2024; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.gate_events_2024 PARTITION OF public.gate_events
FOR VALUES FROM ('2024-01-01 00:00:00+08') TO ('2025-01-01 00:00:00+08');


--
-- Name: holds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.holds (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    container_id bigint NOT NULL,
    reason character varying NOT NULL,
    placed_on date NOT NULL,
    released_on date,
    CONSTRAINT holds_container_no_overlap EXCLUDE USING gist (container_id WITH =, daterange(placed_on, released_on) WITH &&)
);


--
-- Name: invoices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invoices (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    number character varying NOT NULL,
    account_id bigint NOT NULL,
    issued_on date NOT NULL,
    paid_on date,
    state integer DEFAULT 0 NOT NULL
);


--
-- Name: invoice_lines; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invoice_lines (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    invoice_id bigint NOT NULL,
    description text NOT NULL,
    amount numeric(12,2) NOT NULL
);


--
-- Name: rail_departures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rail_departures (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    train character varying NOT NULL,
    ramp character varying NOT NULL,
    reported text NOT NULL,
    departed_at timestamp with time zone
);


--
-- Name: rate_plans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rate_plans (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    code character varying NOT NULL,
    free_time interval DEFAULT '5 days'::interval NOT NULL,
    term interval,
    daily numeric(10,2) NOT NULL,
    valid_from date NOT NULL
);


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);


--
-- Name: server_samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.server_samples (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    taken_at timestamp with time zone NOT NULL,
    buffers_alloc bigint,
    buffers_written bigint,
    checkpoints_timed bigint,
    commits bigint
);


--
-- Name: terminals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.terminals (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    code character varying NOT NULL,
    name character varying NOT NULL,
    time_zone character varying DEFAULT 'Asia/Shanghai'::character varying NOT NULL
);


--
-- Name: buffer_activity; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.buffer_activity AS
 SELECT pg_stat_bgwriter.buffers_clean,
    pg_stat_bgwriter.maxwritten_clean,
    pg_stat_bgwriter.buffers_alloc
   FROM pg_stat_bgwriter;


--
-- Name: accounts id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts ALTER COLUMN id SET DEFAULT nextval('public.accounts_id_seq'::regclass);


--
-- Name: containers id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.containers ALTER COLUMN id SET DEFAULT nextval('public.containers_id_seq'::regclass);


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ar_internal_metadata
    ADD CONSTRAINT ar_internal_metadata_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.carrier_messages
    ADD CONSTRAINT carrier_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.containers
    ADD CONSTRAINT containers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT invoice_lines_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rail_departures
    ADD CONSTRAINT rail_departures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_plans
    ADD CONSTRAINT rate_plans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.server_samples
    ADD CONSTRAINT server_samples_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.terminals
    ADD CONSTRAINT terminals_pkey PRIMARY KEY (id);


--
-- Name: index_accounts_on_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX index_accounts_on_email ON public.accounts USING btree (email);

CREATE INDEX index_containers_on_check_digit ON public.containers USING btree (public.check_digit((number)::text));

CREATE INDEX index_containers_on_number_text ON public.containers USING btree (((number)::text) text_pattern_ops);

CREATE INDEX index_containers_on_tag_vector ON public.containers USING gin (tag_vector);

CREATE INDEX index_gate_events_on_container_id ON public.gate_events USING btree (container_id, happened_at);

CREATE UNIQUE INDEX index_invoices_on_number ON public.invoices USING btree (number);

CREATE UNIQUE INDEX index_rate_plans_on_code_and_term ON public.rate_plans USING btree (code, valid_from, ((term)::text));

CREATE INDEX index_rate_plans_on_free_time ON public.rate_plans USING btree (free_time);


--
-- Name: holds fk_rails_6f1b1f3c0e; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.containers
    ADD CONSTRAINT fk_rails_0a2f5f3d11 FOREIGN KEY (terminal_id) REFERENCES public.terminals(id);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT fk_rails_6f1b1f3c0e FOREIGN KEY (container_id) REFERENCES public.containers(id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT fk_rails_93a1c7d2b4 FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT fk_rails_c41c9f72aa FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);


SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20170302081455'),
('20180611023010'),
('20190214070233'),
('20200507101722'),
('20210917055840'),
('20230322041206');
