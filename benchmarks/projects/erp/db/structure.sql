SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET client_min_messages = warning;
SET default_tablespace = '';

--
-- Functions
--

CREATE FUNCTION public.strip_separators(code text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT regexp_replace($1, '[-./ ]+', '', 'g') $$;

-- "ab-12.3" and "AB 123" are the same article
CREATE FUNCTION public.sku_key(sku text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT upper(strip_separators($1)) $$;

CREATE FUNCTION public.supplier_key(number text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'public'
    AS $$
BEGIN
    RETURN upper(strip_separators(number));
END
$$;

CREATE FUNCTION public.lot_key(lot text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    AS $$
BEGIN
    RETURN lower(public.strip_separators(lot));
END
$$;

-- value of a key of a document, as text; NULL if it's missing or blank
CREATE FUNCTION public.json_value(document jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$ SELECT nullif(btrim($1 ->> $2), '') $_$;

CREATE FUNCTION public.round_to_pack(quantity numeric, pack numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT ceil(quantity / pack) * pack $$;

SET default_table_access_method = heap;

--
-- Tables
--

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);

CREATE TABLE public.suppliers (
    id bigint NOT NULL,
    number character varying NOT NULL,
    name character varying NOT NULL,
    lead_time interval,
    lead_time_days integer DEFAULT 14 NOT NULL,
    master_data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);

CREATE SEQUENCE public.suppliers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.suppliers_id_seq OWNED BY public.suppliers.id;
ALTER TABLE ONLY public.suppliers ALTER COLUMN id SET DEFAULT nextval('public.suppliers_id_seq'::regclass);

CREATE TABLE public.products (
    id bigint PRIMARY KEY,
    sku character varying NOT NULL,
    kind character varying DEFAULT 'Part'::character varying NOT NULL,
    name character varying NOT NULL,
    pack_size numeric(12,3) DEFAULT 1 NOT NULL,
    supplier_id bigint,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    discontinued_on date
);

CREATE TABLE public.purchase_orders (
    id bigint PRIMARY KEY,
    supplier_id bigint NOT NULL,
    number character varying NOT NULL,
    state character varying DEFAULT 'draft'::character varying NOT NULL,
    ordered_on date,
    total_cents bigint DEFAULT 0 NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE public.stock_movements (
    id bigint NOT NULL,
    product_id bigint NOT NULL,
    lot character varying,
    quantity numeric(14,3) NOT NULL,
    booked_at timestamp(6) without time zone NOT NULL
)
PARTITION BY RANGE (booked_at);

CREATE TABLE public.stock_movements_2021 PARTITION OF public.stock_movements
    FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
CREATE TABLE public.stock_movements_2022 PARTITION OF public.stock_movements
    FOR VALUES FROM ('2022-01-01') TO ('2023-01-01');

CREATE UNLOGGED TABLE public.import_lines (
    import_id bigint NOT NULL,
    line_no integer NOT NULL,
    sku text,
    lot text,
    quantity numeric,
    error text
);

CREATE TABLE public.assets (
    id bigint PRIMARY KEY,
    label character varying NOT NULL,
    class_code character varying NOT NULL,
    acquired_on date NOT NULL,
    cost_cents bigint NOT NULL,
    disposed_on date
);

-- rounds of the site inspection: how many checkpoints are due, how many were requested
CREATE TABLE public.inspection_rounds (
    id bigint PRIMARY KEY,
    asset_id bigint NOT NULL,
    checkpoints_timed integer DEFAULT 0 NOT NULL,
    checkpoints_req integer DEFAULT 0 NOT NULL,
    walked_on date
);

CREATE TABLE public.account_groups (
    id bigint PRIMARY KEY,
    name character varying NOT NULL,
    parent character varying,
    level integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.audit_entries (
    id bigint PRIMARY KEY,
    record_type character varying NOT NULL,
    record_id bigint NOT NULL,
    "system_user" character varying,
    action character varying NOT NULL,
    changes_made jsonb,
    created_at timestamp(6) without time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.outbox_messages (
    id bigint PRIMARY KEY,
    topic character varying NOT NULL,
    body jsonb NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    locked_at timestamp(6) without time zone,
    sent_at timestamp(6) without time zone
);

CREATE TABLE public.pricing_rule (
    id bigint PRIMARY KEY,
    product_id bigint,
    discount numeric(5,2) NOT NULL
);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.suppliers
    ADD CONSTRAINT suppliers_pkey PRIMARY KEY (id);

--
-- Cursors for the EDI gateway, which fetches from them in its own transaction
--

CREATE FUNCTION public.edi_open_items(supplier bigint) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    open_items CURSOR FOR
        SELECT number, ordered_on, total_cents
          FROM public.purchase_orders
         WHERE supplier_id = supplier AND state = 'ordered';
BEGIN
    OPEN open_items;
    RETURN open_items;
END
$$;

CREATE FUNCTION public.edi_price_list(supplier bigint) RETURNS refcursor
    LANGUAGE plpgsql
    AS $$
DECLARE
    prices refcursor := 'price_list';
BEGIN
    OPEN prices FOR
        SELECT sku, name, pack_size FROM public.products WHERE supplier_id = supplier;
    RETURN prices;
END
$$;

-- entries of the audit log are never deleted
CREATE RULE audit_entries_keep AS ON DELETE TO public.audit_entries DO INSTEAD NOTHING;

--
-- Indexes
--

CREATE UNIQUE INDEX index_suppliers_on_number ON public.suppliers USING btree (public.supplier_key(number));
CREATE UNIQUE INDEX index_products_on_sku ON public.products USING btree (public.sku_key(sku));
CREATE INDEX index_stock_movements_on_lot ON public.stock_movements USING btree (public.lot_key(lot));
CREATE INDEX index_suppliers_on_lead_time ON public.suppliers USING btree (((lead_time)::text) text_pattern_ops);
CREATE INDEX index_suppliers_on_lead_time_days ON public.suppliers USING btree (((lead_time_days)::text) text_pattern_ops);
CREATE INDEX index_outbox_messages_pending ON public.outbox_messages USING btree (id) WHERE (sent_at IS NULL);

ALTER TABLE ONLY public.purchase_orders
    ADD CONSTRAINT fk_rails_3a6c5a1b2e FOREIGN KEY (supplier_id) REFERENCES public.suppliers(id);

INSERT INTO schema_migrations (version) VALUES
('20210303101500'),
('20211019083012');
