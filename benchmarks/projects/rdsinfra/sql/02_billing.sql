-- What our jobs touch of the team's schema; the team's own migrations have the rest.
CREATE SCHEMA billing;
CREATE SCHEMA staging;

CREATE TABLE billing.account (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    net         numeric(14, 2) NOT NULL DEFAULT 0,
    gross       numeric(14, 2) GENERATED ALWAYS AS (net * 1.19) STORED
);

CREATE TABLE billing.rule (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id  integer NOT NULL REFERENCES billing.account (id),
    expression  text NOT NULL
);

CREATE TABLE billing.invoice (
    id          bigint GENERATED ALWAYS AS IDENTITY,
    account_id  integer NOT NULL,
    booked_on   date NOT NULL,
    amount      numeric(14, 2) NOT NULL,
    PRIMARY KEY (id, booked_on)
) PARTITION BY RANGE (booked_on);

CREATE TABLE billing.invoice_2023 PARTITION OF billing.invoice FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE UNLOGGED TABLE billing.invoice_scratch PARTITION OF billing.invoice DEFAULT;
