CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE products (
    id          bigserial PRIMARY KEY,
    sku         text NOT NULL UNIQUE,
    name        text NOT NULL,
    price       numeric(12, 2) NOT NULL CHECK (price >= 0),
    attributes  hstore NOT NULL DEFAULT '',
    tags        text[] NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX products_attributes ON products USING gist (attributes);
CREATE INDEX products_tags ON products USING gin (tags);

CREATE TABLE suppliers (
    id        serial PRIMARY KEY,
    name      text NOT NULL,
    vat_id    text NOT NULL CHECK (vat_id ~ '^[A-Z]{2}[0-9]{8,12}$'),
    lead_time interval NOT NULL DEFAULT '3 days'
);

CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT doc ->> field $$;
