-- Extensions that the service and the administrators' tools use
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE EXTENSION IF NOT EXISTS adminpack;

CREATE TABLE customers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number varchar(10) NOT NULL UNIQUE,
    name varchar(120) NOT NULL,
    kind varchar(20) NOT NULL CHECK (kind IN ('hotel', 'shop', 'canteen', 'market')),
    street varchar(120),
    city varchar(80),
    rule varchar(20) NOT NULL DEFAULT 'invoice',
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE categories (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name varchar(80) NOT NULL,
    level integer NOT NULL DEFAULT 0,
    parent bigint REFERENCES categories (id)
);

CREATE TABLE products (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sku varchar(16) NOT NULL UNIQUE,
    name varchar(120) NOT NULL,
    category_id bigint NOT NULL REFERENCES categories (id),
    weight_g integer NOT NULL,
    price_cents integer NOT NULL,
    shelf_life interval NOT NULL DEFAULT '1 day',
    attributes jsonb NOT NULL DEFAULT '{}',
    active boolean NOT NULL DEFAULT true
);

CREATE TABLE ingredients (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name varchar(80) NOT NULL UNIQUE,
    allergen varchar(30)
);

CREATE TABLE recipe_lines (
    product_id bigint NOT NULL REFERENCES products (id),
    ingredient_id bigint NOT NULL REFERENCES ingredients (id),
    grams numeric(10, 2) NOT NULL,
    PRIMARY KEY (product_id, ingredient_id)
);
