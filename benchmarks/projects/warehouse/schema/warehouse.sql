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
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: dw; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA dw;


--
-- Name: etl; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA etl;


--
-- Name: finish_batch(bigint, bigint); Type: FUNCTION; Schema: etl; Owner: -
--

CREATE FUNCTION etl.finish_batch(p_batch bigint, p_rows bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE etl.load_batch
       SET (finished_at, rows_loaded) = (clock_timestamp(), p_rows)
     WHERE batch_id = p_batch;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no batch %', p_batch;
    END IF;
    UPDATE etl.source
       SET (last_batch) = (p_batch)
     WHERE name = (SELECT b.source FROM etl.load_batch b WHERE b.batch_id = p_batch);
END
$$;


--
-- Name: load_orders(bigint); Type: FUNCTION; Schema: etl; Owner: -
--

CREATE FUNCTION etl.load_orders(p_batch bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    staged record;
    loaded bigint := 0;
BEGIN
    FOR staged IN
        SELECT s.doc, s.sku, s.amount_text, s.store_code
          FROM etl.staging_order s
         WHERE s.batch_id = p_batch
    LOOP
        INSERT INTO dw.fact_sale (order_number, product_key, store_id, sold_at, quantity, amount)
        SELECT (xpath('header/number/text()', staged.doc))[1]::text,
               p.product_key,
               etl.store_number(staged.store_code),
               ((xpath('/order/header/date/text()', staged.doc))[1]::text)::timestamptz,
               1,
               etl.parse_amount(staged.amount_text)
          FROM dw.dim_product p
         WHERE p.sku = staged.sku
           AND p.valid_to IS NULL;
        loaded := loaded + 1;
    END LOOP;
    RETURN loaded;
END
$$;


--
-- Name: parse_amount(text); Type: FUNCTION; Schema: etl; Owner: -
--

CREATE FUNCTION etl.parse_amount(amount text) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT
    AS $$
BEGIN
    RETURN to_number(btrim(amount), '999,999,990.99');
EXCEPTION WHEN invalid_text_representation THEN
    RETURN NULL;
END
$$;


--
-- Name: product_changed(); Type: FUNCTION; Schema: dw; Owner: -
--

CREATE FUNCTION dw.product_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.name_hash := md5(NEW.sku || '|' || NEW.name || '|' || NEW.list_price::text);
    NEW.row_hash := md5(concat_ws('|', NEW.name_hash, NEW.weight, NEW.volume));
    IF TG_OP = 'UPDATE' THEN
        IF NEW.row_hash = OLD.row_hash THEN
            RETURN NULL;
        END IF;
    END IF;
    RETURN NEW;
END
$$;


--
-- Name: start_batch(text); Type: FUNCTION; Schema: etl; Owner: -
--

CREATE FUNCTION etl.start_batch(p_source text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    new_id bigint;
BEGIN
    INSERT INTO etl.load_batch (batch_id, source, started_at, started_epoch)
    VALUES (nextval('etl.batch_seq'), p_source, now(), now()::abstime::integer)
    RETURNING batch_id INTO new_id;
    RETURN new_id;
END
$$;


--
-- Name: store_number(text); Type: FUNCTION; Schema: etl; Owner: -
--

CREATE FUNCTION etl.store_number(code text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT to_number(substr($1, 3, 4), '9999')::integer
$_$;


SET default_tablespace = '';

SET default_with_oids = false;

--
-- Name: dim_product; Type: TABLE; Schema: dw; Owner: -
--

CREATE TABLE dw.dim_product (
    product_key integer NOT NULL,
    sku text NOT NULL,
    name text NOT NULL,
    list_price numeric(12,2) NOT NULL,
    weight double precision,
    volume double precision,
    name_hash text,
    row_hash text,
    valid_from timestamp with time zone DEFAULT now() NOT NULL,
    valid_to timestamp with time zone
);


--
-- Name: fact_sale; Type: TABLE; Schema: dw; Owner: -
--

CREATE TABLE dw.fact_sale (
    order_number text NOT NULL,
    product_key integer NOT NULL,
    store_id integer NOT NULL,
    sold_at timestamp with time zone NOT NULL,
    quantity integer DEFAULT 1 NOT NULL,
    amount numeric(12,2),
    campaigns text[]
);


--
-- Name: page_view; Type: TABLE; Schema: dw; Owner: -
--

CREATE TABLE dw.page_view (
    session_id bigint NOT NULL,
    reltime integer NOT NULL,
    page text NOT NULL
);


--
-- Name: monthly_sales; Type: MATERIALIZED VIEW; Schema: dw; Owner: -
--

CREATE MATERIALIZED VIEW dw.monthly_sales AS
 SELECT date_part('year'::text, s.sold_at) AS year,
    date_part('month'::text, s.sold_at) AS month,
    s.store_id,
    sum(s.amount) AS amount,
    count(*) AS sales
   FROM dw.fact_sale s
  GROUP BY (date_part('year'::text, s.sold_at)), (date_part('month'::text, s.sold_at)), s.store_id
  WITH NO DATA;


--
-- Name: sale_campaign; Type: MATERIALIZED VIEW; Schema: dw; Owner: -
--

CREATE MATERIALIZED VIEW dw.sale_campaign AS
 SELECT s.order_number,
    s.sold_at,
        CASE
            WHEN (s.campaigns IS NULL) THEN 'none'::text
            ELSE unnest(s.campaigns)
        END AS campaign
   FROM dw.fact_sale s
  WITH NO DATA;


--
-- Name: batch_seq; Type: SEQUENCE; Schema: etl; Owner: -
--

CREATE SEQUENCE etl.batch_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 99999999
    CACHE 1;


--
-- Name: load_batch; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.load_batch (
    batch_id bigint NOT NULL,
    source text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    started_epoch integer NOT NULL,
    finished_at timestamp with time zone,
    rows_loaded bigint
);


--
-- Name: source; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.source (
    name text NOT NULL,
    last_batch bigint
);


--
-- Name: relation_doc; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.relation_doc (
    relation text NOT NULL,
    kind text NOT NULL,
    owner_team text,
    CONSTRAINT relation_doc_kind CHECK ((kind = ANY (ARRAY['TABLE'::text, 'VIEW'::text, 'FOREIGN TABLE'::text])))
);


--
-- Name: staging_order; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.staging_order (
    batch_id bigint NOT NULL,
    sku text,
    store_code text,
    amount_text text,
    doc xml
);


--
-- Name: threshold; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.threshold (
    name text NOT NULL,
    max_value numeric
);


SET default_with_oids = true;

--
-- Name: reject; Type: TABLE; Schema: etl; Owner: -
--

CREATE TABLE etl.reject (
    batch_id bigint NOT NULL,
    reason text NOT NULL,
    line text
);


SET default_with_oids = false;

--
-- Name: dim_product_pkey; Type: CONSTRAINT; Schema: dw; Owner: -
--

ALTER TABLE ONLY dw.dim_product
    ADD CONSTRAINT dim_product_pkey PRIMARY KEY (product_key);


--
-- Name: load_batch_pkey; Type: CONSTRAINT; Schema: etl; Owner: -
--

ALTER TABLE ONLY etl.load_batch
    ADD CONSTRAINT load_batch_pkey PRIMARY KEY (batch_id);


--
-- Name: source_pkey; Type: CONSTRAINT; Schema: etl; Owner: -
--

ALTER TABLE ONLY etl.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (name);


--
-- Name: fact_sale_sold_at; Type: INDEX; Schema: dw; Owner: -
--

CREATE INDEX fact_sale_sold_at ON dw.fact_sale USING btree (sold_at);


--
-- Name: product_changed; Type: TRIGGER; Schema: dw; Owner: -
--

CREATE TRIGGER product_changed BEFORE INSERT OR UPDATE ON dw.dim_product FOR EACH ROW EXECUTE PROCEDURE dw.product_changed();


--
-- Name: fact_sale_product_key_fkey; Type: FK CONSTRAINT; Schema: dw; Owner: -
--

ALTER TABLE ONLY dw.fact_sale
    ADD CONSTRAINT fact_sale_product_key_fkey FOREIGN KEY (product_key) REFERENCES dw.dim_product(product_key);


--
-- Name: dw; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA dw TO reporting;
GRANT SELECT ON TABLE dw.monthly_sales TO reporting;


--
-- PostgreSQL database dump complete
--
