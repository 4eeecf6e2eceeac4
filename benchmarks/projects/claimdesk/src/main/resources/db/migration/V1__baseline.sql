-- Baseline of the claims office, taken over from the old desktop application

CREATE SEQUENCE claim_number_seq START WITH 400000 INCREMENT BY 1;

CREATE TABLE customer (
    id          bigserial PRIMARY KEY,
    name        text NOT NULL,
    email       text,
    -- ad source: the campaign that brought the customer
    adsrc       varchar(40),
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE policy (
    id           bigserial PRIMARY KEY,
    customer_id  bigint NOT NULL REFERENCES customer (id),
    number       text NOT NULL UNIQUE,
    product      text NOT NULL,
    coverages    text[] NOT NULL DEFAULT '{}',
    premium      numeric(12,2) NOT NULL,
    starts_on    date NOT NULL,
    ends_on      date
);

CREATE TABLE claim (
    id           bigserial PRIMARY KEY,
    policy_id    bigint NOT NULL REFERENCES policy (id),
    number       text NOT NULL UNIQUE,
    status       text NOT NULL DEFAULT 'OPEN',
    adjuster     text,
    opened_at    timestamptz NOT NULL DEFAULT now(),
    closed_at    timestamptz,
    happened_at  timestamp NOT NULL,
    description  text
) WITHOUT OIDS;

CREATE TABLE payment (
    id         bigserial PRIMARY KEY,
    claim_id   bigint NOT NULL REFERENCES claim (id),
    amount     numeric(12,2) NOT NULL CHECK (amount > 0),
    payee      text NOT NULL,
    booked_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reserve (
    id        bigserial PRIMARY KEY,
    claim_id  bigint NOT NULL REFERENCES claim (id),
    amount    numeric(12,2) NOT NULL CHECK (amount >= 0),
    reason    text,
    set_on    date NOT NULL DEFAULT current_date
);
