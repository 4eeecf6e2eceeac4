-- +goose Up
CREATE TABLE venues (
    venue_id   serial PRIMARY KEY,
    name       text NOT NULL,
    city       text NOT NULL,
    time_zone  text NOT NULL DEFAULT 'Asia/Kolkata'
);

CREATE TABLE sections (
    section_id serial PRIMARY KEY,
    venue_id   integer NOT NULL REFERENCES venues,
    label      text NOT NULL,
    outline    polygon NOT NULL,
    UNIQUE (venue_id, label)
);

CREATE TABLE seats (
    seat_id    serial PRIMARY KEY,
    section_id integer NOT NULL REFERENCES sections,
    row_label  text NOT NULL,
    number     integer NOT NULL,
    pos        point NOT NULL
);

CREATE TABLE events (
    event_id   serial PRIMARY KEY,
    venue_id   integer NOT NULL REFERENCES venues,
    title      text NOT NULL,
    code       text NOT NULL UNIQUE CHECK (code ~ '^[A-Z]{3}-\d+$'),
    doors_at   timestamptz NOT NULL,
    tags       text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE customers (
    customer_id   bigserial PRIMARY KEY,
    email         text NOT NULL,
    email_hash    text GENERATED ALWAYS AS (md5(lower(email))) STORED,
    created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE orders (
    order_id    bigserial PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers,
    placed_at   timestamptz NOT NULL DEFAULT now(),
    total       numeric(10,2) NOT NULL DEFAULT 0,
    payload     jsonb
);

CREATE TABLE tickets (
    ticket_id bigserial PRIMARY KEY,
    event_id  integer NOT NULL REFERENCES events,
    seat_id   integer NOT NULL REFERENCES seats,
    order_id  bigint REFERENCES orders,
    price     numeric(8,2) NOT NULL,
    sold_at   timestamptz,
    UNIQUE (event_id, seat_id)
);

CREATE INDEX tickets_free ON tickets (event_id) WHERE sold_at IS NULL;
