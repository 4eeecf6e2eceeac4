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
-- Name: listing_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.listing_state AS ENUM (
    'draft',
    'offered',
    'reserved',
    'sold_out',
    'withdrawn'
);


--
-- Name: lease_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.lease_state AS ENUM (
    'active',
    'notice_given',
    'ended'
);


--
-- Name: season; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.season AS RANGE (
    subtype = date
);


--
-- Name: append_label(text[], text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.append_label(labels text[], label text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN label = ANY (labels) THEN labels ELSE labels || label END
$$;


--
-- Name: audit_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.audit_entries (table_name, row_id, action, "system_user", member_id, changed_at)
  VALUES (TG_TABLE_NAME, NEW.id, lower(TG_OP), session_user,
          nullif(current_setting('plotmarket.member_id', true), '')::bigint, now());
  RETURN NEW;
END
$$;


--
-- Name: count_stock(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_stock() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE public.listings
     SET quantity_left = quantity_left - NEW.quantity,
         state = CASE WHEN quantity_left - NEW.quantity <= 0 THEN 'sold_out'::public.listing_state ELSE state END
   WHERE id = NEW.listing_id;
  RETURN NEW;
END
$$;


--
-- Name: rebuild_listing_indexes(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rebuild_listing_indexes() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM public.listings WHERE state = 'draft' AND created_at < now() - interval '10 years';
  REINDEX TABLE public.listings;
  REINDEX INDEX public.index_listings_on_search;
END
$$;


--
-- Name: rebuild_sales_indexes(date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rebuild_sales_indexes(keep_from date) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM public.sales WHERE sold_at < keep_from;
  GET DIAGNOSTICS removed = ROW_COUNT;
  REINDEX TABLE public.sales_2023;
  REINDEX TABLE public.sales;
  RETURN removed;
END
$$;


--
-- Name: string_to_table(text, text, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.string_to_table(line text, separator text, trimmed boolean) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN trimmed THEN btrim(part) ELSE part END
    FROM unnest(pg_catalog.string_to_array(line, separator)) AS part
$$;


--
-- Name: touch_photos(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch_photos() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF cardinality(NEW.photos) > 8 THEN
    NEW.photos := public.trim_array(NEW.photos, 8);
  END IF;
  NEW.updated_at := now();
  RETURN NEW;
END
$$;


--
-- Name: trim_array(anyarray, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.trim_array(items anyarray, keep integer) RETURNS anyarray
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT $1[1:$2]
$_$;


--
-- Name: label_set(text); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.label_set(text) (
    SFUNC = public.append_label,
    STYPE = text[],
    INITCOND = '{}'
);


--
-- Name: collect(anyelement); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);


--
-- Name: collect_labels(text); Type: AGGREGATE; Schema: public; Owner: -
--

CREATE AGGREGATE public.collect_labels(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);


SET default_tablespace = '';

SET default_table_access_method = heap;

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
-- Name: audit_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_entries (
    id bigint NOT NULL,
    table_name character varying NOT NULL,
    row_id bigint NOT NULL,
    action character varying NOT NULL,
    "system_user" text,
    member_id bigint,
    changed_at timestamp with time zone DEFAULT now() NOT NULL
);


CREATE SEQUENCE public.audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.audit_entries_id_seq OWNED BY public.audit_entries.id;


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    id bigint NOT NULL,
    email character varying NOT NULL,
    name character varying NOT NULL,
    phone character varying,
    joined_on date NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT members_email_format CHECK (((email)::text ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text))
);


CREATE SEQUENCE public.members_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.members_id_seq OWNED BY public.members.id;


--
-- Name: sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sites (
    id bigint NOT NULL,
    name character varying NOT NULL,
    street character varying,
    bounds box NOT NULL,
    outline polygon,
    gate point,
    lc_collate character varying DEFAULT 'de_DE'::character varying NOT NULL
);


CREATE SEQUENCE public.sites_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.sites_id_seq OWNED BY public.sites.id;


--
-- Name: plots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plots (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    number character varying NOT NULL,
    "position" point NOT NULL,
    area_m2 numeric(8,2) NOT NULL,
    surveyed_m2 numeric(8,2),
    sheds integer DEFAULT 0 NOT NULL,
    soil character varying,
    CONSTRAINT plots_area_positive CHECK ((area_m2 > (0)::numeric))
);


CREATE SEQUENCE public.plots_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.plots_id_seq OWNED BY public.plots.id;


--
-- Name: leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.leases (
    id bigint NOT NULL,
    plot_id bigint NOT NULL,
    member_id bigint NOT NULL,
    state public.lease_state DEFAULT 'active'::public.lease_state NOT NULL,
    starts_on date NOT NULL,
    ends_on date,
    term character varying DEFAULT '12 months'::character varying NOT NULL,
    notice_period interval DEFAULT '3 mons'::interval NOT NULL,
    rent_per_m2 numeric(6,2) NOT NULL
);


CREATE SEQUENCE public.leases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.leases_id_seq OWNED BY public.leases.id;


--
-- Name: waiting_list_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.waiting_list_entries (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    member_id bigint NOT NULL,
    asked_on date NOT NULL,
    estimate character varying,
    note text
);


CREATE SEQUENCE public.waiting_list_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.waiting_list_entries_id_seq OWNED BY public.waiting_list_entries.id;


--
-- Name: produce_kinds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.produce_kinds (
    id bigint NOT NULL,
    name character varying NOT NULL,
    unit character varying DEFAULT 'kg'::character varying NOT NULL,
    months integer[] DEFAULT '{}'::integer[] NOT NULL
);


CREATE SEQUENCE public.produce_kinds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.produce_kinds_id_seq OWNED BY public.produce_kinds.id;


--
-- Name: listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listings (
    id bigint NOT NULL,
    member_id bigint NOT NULL,
    produce_kind_id bigint NOT NULL,
    title character varying NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    state public.listing_state DEFAULT 'draft'::public.listing_state NOT NULL,
    price numeric(8,2) NOT NULL,
    quantity_left numeric(8,2) NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    labels text[] DEFAULT '{}'::text[] NOT NULL,
    photos text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);


CREATE SEQUENCE public.listings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.listings_id_seq OWNED BY public.listings.id;


--
-- Name: market_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.market_days (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    held_on date NOT NULL,
    opens_at time without time zone DEFAULT '09:00:00'::time without time zone NOT NULL,
    open_for interval DEFAULT '04:00:00'::interval NOT NULL,
    visitors integer
);


CREATE SEQUENCE public.market_days_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.market_days_id_seq OWNED BY public.market_days.id;


--
-- Name: sales; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sales (
    id bigint NOT NULL,
    listing_id bigint NOT NULL,
    market_day_id bigint,
    quantity numeric(8,2) NOT NULL,
    total numeric(10,2) NOT NULL,
    sold_at timestamp without time zone NOT NULL
)
PARTITION BY RANGE (sold_at);


CREATE SEQUENCE public.sales_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.sales_id_seq OWNED BY public.sales.id;


--
-- Name: sales_2023; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sales_2023 (
    id bigint NOT NULL,
    listing_id bigint NOT NULL,
    market_day_id bigint,
    quantity numeric(8,2) NOT NULL,
    total numeric(10,2) NOT NULL,
    sold_at timestamp without time zone NOT NULL
);
ALTER TABLE ONLY public.sales ATTACH PARTITION public.sales_2023 FOR VALUES FROM ('2023-01-01 00:00:00') TO ('2024-01-01 00:00:00');


--
-- Name: sales_2024; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sales_2024 (
    id bigint NOT NULL,
    listing_id bigint NOT NULL,
    market_day_id bigint,
    quantity numeric(8,2) NOT NULL,
    total numeric(10,2) NOT NULL,
    sold_at timestamp without time zone NOT NULL
);
ALTER TABLE ONLY public.sales ATTACH PARTITION public.sales_2024 FOR VALUES FROM ('2024-01-01 00:00:00') TO ('2025-01-01 00:00:00');


--
-- Name: seed_packets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.seed_packets (
    id bigint NOT NULL,
    produce_kind_id bigint NOT NULL,
    lot_code character varying NOT NULL,
    shelf_code character varying NOT NULL,
    packed_on date,
    grams numeric(6,1) NOT NULL
);


CREATE SEQUENCE public.seed_packets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.seed_packets_id_seq OWNED BY public.seed_packets.id;


--
-- Name: tools; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tools (
    id bigint NOT NULL,
    site_id bigint NOT NULL,
    name character varying NOT NULL,
    inventory_number integer NOT NULL,
    total_time interval DEFAULT '00:00:00'::interval NOT NULL
);


CREATE SEQUENCE public.tools_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.tools_id_seq OWNED BY public.tools.id;


--
-- Name: tool_loans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tool_loans (
    id bigint NOT NULL,
    tool_id bigint NOT NULL,
    member_id bigint NOT NULL,
    lent_at timestamp without time zone NOT NULL,
    returned_at timestamp without time zone
);


CREATE SEQUENCE public.tool_loans_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.tool_loans_id_seq OWNED BY public.tool_loans.id;


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);


--
-- Name: monthly_takings; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.monthly_takings AS
 SELECT (date_part('year'::text, sales.sold_at))::integer AS year,
    date_part('month'::text, sales.sold_at) AS month,
    sum(sales.total) AS takings
   FROM public.sales
  GROUP BY ((date_part('year'::text, sales.sold_at))::integer), (date_part('month'::text, sales.sold_at));


--
-- Name: member_labels; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.member_labels AS
 SELECT listings.member_id,
    public.label_set(label.label ORDER BY label.label) AS labels
   FROM (public.listings
     CROSS JOIN LATERAL unnest(listings.labels) label(label))
  GROUP BY listings.member_id;


--
-- Name: free_plots; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.free_plots AS
 SELECT plots.id,
    plots.site_id,
    plots.number,
    plots.area_m2
   FROM public.plots
  WHERE (NOT (EXISTS ( SELECT 1
           FROM public.leases
          WHERE ((leases.plot_id = plots.id) AND (leases.state <> 'ended'::public.lease_state)))));


ALTER TABLE ONLY public.audit_entries ALTER COLUMN id SET DEFAULT nextval('public.audit_entries_id_seq'::regclass);
ALTER TABLE ONLY public.leases ALTER COLUMN id SET DEFAULT nextval('public.leases_id_seq'::regclass);
ALTER TABLE ONLY public.listings ALTER COLUMN id SET DEFAULT nextval('public.listings_id_seq'::regclass);
ALTER TABLE ONLY public.market_days ALTER COLUMN id SET DEFAULT nextval('public.market_days_id_seq'::regclass);
ALTER TABLE ONLY public.members ALTER COLUMN id SET DEFAULT nextval('public.members_id_seq'::regclass);
ALTER TABLE ONLY public.plots ALTER COLUMN id SET DEFAULT nextval('public.plots_id_seq'::regclass);
ALTER TABLE ONLY public.produce_kinds ALTER COLUMN id SET DEFAULT nextval('public.produce_kinds_id_seq'::regclass);
ALTER TABLE ONLY public.sales ALTER COLUMN id SET DEFAULT nextval('public.sales_id_seq'::regclass);
ALTER TABLE ONLY public.seed_packets ALTER COLUMN id SET DEFAULT nextval('public.seed_packets_id_seq'::regclass);
ALTER TABLE ONLY public.sites ALTER COLUMN id SET DEFAULT nextval('public.sites_id_seq'::regclass);
ALTER TABLE ONLY public.tool_loans ALTER COLUMN id SET DEFAULT nextval('public.tool_loans_id_seq'::regclass);
ALTER TABLE ONLY public.tools ALTER COLUMN id SET DEFAULT nextval('public.tools_id_seq'::regclass);
ALTER TABLE ONLY public.waiting_list_entries ALTER COLUMN id SET DEFAULT nextval('public.waiting_list_entries_id_seq'::regclass);


ALTER TABLE ONLY public.ar_internal_metadata
    ADD CONSTRAINT ar_internal_metadata_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT listings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.market_days
    ADD CONSTRAINT market_days_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plots
    ADD CONSTRAINT plots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.produce_kinds
    ADD CONSTRAINT produce_kinds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sales
    ADD CONSTRAINT sales_pkey PRIMARY KEY (id, sold_at);

ALTER TABLE ONLY public.sales_2023
    ADD CONSTRAINT sales_2023_pkey PRIMARY KEY (id, sold_at);

ALTER TABLE ONLY public.sales_2024
    ADD CONSTRAINT sales_2024_pkey PRIMARY KEY (id, sold_at);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.seed_packets
    ADD CONSTRAINT seed_packets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tool_loans
    ADD CONSTRAINT tool_loans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tools
    ADD CONSTRAINT tools_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.waiting_list_entries
    ADD CONSTRAINT waiting_list_entries_pkey PRIMARY KEY (id);


--
-- Name: index_leases_on_notice_months; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_leases_on_notice_months ON public.leases USING btree (date_part('epoch'::text, notice_period));


--
-- Name: index_leases_on_notice_period_text; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_leases_on_notice_period_text ON public.leases USING btree (((notice_period)::text));


--
-- Name: index_leases_on_plot_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_leases_on_plot_id ON public.leases USING btree (plot_id);

CREATE INDEX index_leases_on_member_id ON public.leases USING btree (member_id);

CREATE INDEX index_leases_on_state_and_notice_period ON public.leases USING btree (state, notice_period interval_ops);

CREATE INDEX index_listings_on_member_id ON public.listings USING btree (member_id);

CREATE INDEX index_listings_on_labels ON public.listings USING gin (labels);

CREATE INDEX index_listings_on_search ON public.listings USING gin (to_tsvector('english'::regconfig, (((title)::text || ' '::text) || description)));

CREATE UNIQUE INDEX index_market_days_on_site_id_and_held_on ON public.market_days USING btree (site_id, held_on);

CREATE UNIQUE INDEX index_members_on_email ON public.members USING btree (lower((email)::text));

CREATE UNIQUE INDEX index_plots_on_site_id_and_number ON public.plots USING btree (site_id, number);

CREATE INDEX index_plots_on_position ON public.plots USING gist ("position");

CREATE INDEX index_sales_on_listing_id ON ONLY public.sales USING btree (listing_id);

CREATE INDEX sales_2023_listing_id_idx ON public.sales_2023 USING btree (listing_id);

CREATE INDEX sales_2024_listing_id_idx ON public.sales_2024 USING btree (listing_id);

CREATE INDEX index_seed_packets_on_lot_code ON public.seed_packets USING btree (lot_code);

CREATE INDEX index_tools_on_inventory_text ON public.tools USING btree (((inventory_number)::text) text_pattern_ops);

CREATE INDEX index_tool_loans_on_lent_at ON public.tool_loans USING btree (lent_at) WITH (fillfactor='90');


ALTER INDEX public.index_sales_on_listing_id ATTACH PARTITION public.sales_2023_listing_id_idx;

ALTER INDEX public.sales_pkey ATTACH PARTITION public.sales_2023_pkey;

ALTER INDEX public.index_sales_on_listing_id ATTACH PARTITION public.sales_2024_listing_id_idx;

ALTER INDEX public.sales_pkey ATTACH PARTITION public.sales_2024_pkey;


CREATE TRIGGER audit_leases AFTER INSERT OR UPDATE ON public.leases FOR EACH ROW EXECUTE FUNCTION public.audit_change();

CREATE TRIGGER count_stock AFTER INSERT ON public.sales FOR EACH ROW EXECUTE FUNCTION public.count_stock();

CREATE TRIGGER touch_photos BEFORE UPDATE ON public.listings FOR EACH ROW EXECUTE FUNCTION public.touch_photos();


ALTER TABLE ONLY public.plots
    ADD CONSTRAINT fk_rails_plots_site FOREIGN KEY (site_id) REFERENCES public.sites(id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_rails_leases_plot FOREIGN KEY (plot_id) REFERENCES public.plots(id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_rails_leases_member FOREIGN KEY (member_id) REFERENCES public.members(id);

ALTER TABLE ONLY public.waiting_list_entries
    ADD CONSTRAINT fk_rails_waiting_site FOREIGN KEY (site_id) REFERENCES public.sites(id);

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT fk_rails_listings_member FOREIGN KEY (member_id) REFERENCES public.members(id);

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT fk_rails_listings_kind FOREIGN KEY (produce_kind_id) REFERENCES public.produce_kinds(id);

ALTER TABLE public.sales
    ADD CONSTRAINT fk_rails_sales_listing FOREIGN KEY (listing_id) REFERENCES public.listings(id);

ALTER TABLE ONLY public.market_days
    ADD CONSTRAINT fk_rails_market_days_site FOREIGN KEY (site_id) REFERENCES public.sites(id);

ALTER TABLE ONLY public.seed_packets
    ADD CONSTRAINT fk_rails_seed_packets_kind FOREIGN KEY (produce_kind_id) REFERENCES public.produce_kinds(id);

ALTER TABLE ONLY public.tool_loans
    ADD CONSTRAINT fk_rails_tool_loans_tool FOREIGN KEY (tool_id) REFERENCES public.tools(id);


SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20231102090000'),
('20240110081500');
