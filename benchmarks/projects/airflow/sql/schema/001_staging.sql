CREATE SCHEMA IF NOT EXISTS staging;
CREATE SCHEMA IF NOT EXISTS mart;
CREATE SCHEMA IF NOT EXISTS ops;

CREATE TABLE staging.orders (
    order_id     bigint PRIMARY KEY,
    customer_id  bigint NOT NULL,
    order_date   date NOT NULL,
    created_at   timestamptz NOT NULL,
    pickup_point point,
    total        numeric(12, 2) NOT NULL,
    state        text NOT NULL DEFAULT 'new'
)
WITH (OIDS=FALSE, fillfactor=90);

CREATE TABLE staging.parcels (
    parcel_id  bigint PRIMARY KEY,
    order_id   bigint NOT NULL REFERENCES staging.orders,
    sku        text NOT NULL,
    weight_kg  double precision NOT NULL,
    row_hash   text
);

CREATE TABLE staging.products (
    sku       text PRIMARY KEY,
    title     text NOT NULL,
    price     numeric(10, 2) NOT NULL,
    search    tsvector,
    row_hash  text
);
