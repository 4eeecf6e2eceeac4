SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET default_with_oids = false;

CREATE TABLE sellers (
    id serial PRIMARY KEY,
    name text NOT NULL,
    vat_id text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE products (
    id serial PRIMARY KEY,
    seller_id integer NOT NULL REFERENCES sellers (id),
    title text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    price numeric(12,2) NOT NULL,
    CONSTRAINT products_price_check CHECK (price >= 0)
) WITHOUT OIDS;

CREATE TABLE feeds (
    id serial PRIMARY KEY,
    seller_id integer NOT NULL REFERENCES sellers (id),
    fetched_at timestamp with time zone DEFAULT now() NOT NULL,
    body xml NOT NULL
);

CREATE TABLE legacy_notes (
    seller_id integer NOT NULL,
    note text
) WITH OIDS;

CREATE TABLE shipments (
    id serial PRIMARY KEY,
    product_id integer NOT NULL REFERENCES products (id),
    sent_location text NOT NULL,
    due_on date NOT NULL,
    delivered_at timestamp with time zone
);

CREATE SEQUENCE invoice_number_seq INCREMENT BY 10 CACHE 1;

CREATE AGGREGATE array_cat_agg(anyarray) (SFUNC = array_cat, STYPE = anyarray, INITCOND = '{}');
