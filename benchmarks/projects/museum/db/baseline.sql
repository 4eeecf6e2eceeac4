-- The tables of the inventory program, as of the switch to Django.

CREATE TABLE collection_object (
    id         bigserial PRIMARY KEY,
    inventory  text NOT NULL,
    title      text NOT NULL,
    medium     text,
    technique  text,
    acquired   date,
    details    jsonb NOT NULL DEFAULT '{}',
    lexemes    tsvector
);

-- the old program kept paintings and coins in tables of their own
CREATE TABLE collection_painting (
    height_cm numeric(7, 1),
    width_cm  numeric(7, 1),
    area      numeric GENERATED ALWAYS AS (height_cm * width_cm) STORED
) INHERITS (collection_object);

CREATE TABLE collection_coin (
    weight_g numeric(7, 2),
    mint     text
) INHERITS (collection_object);

CREATE TABLE collection_loan (
    id        bigserial PRIMARY KEY,
    object_id bigint NOT NULL,
    borrower  text NOT NULL,
    lent_at   timestamptz NOT NULL DEFAULT now(),
    lasts     interval NOT NULL DEFAULT '6 months',
    returned  timestamptz
);

CREATE TABLE collection_condition (
    id        bigserial,
    object_id bigint NOT NULL,
    seen_on   date NOT NULL,
    interval_days integer NOT NULL DEFAULT 365,
    report    text NOT NULL,
    PRIMARY KEY (id, seen_on)
) PARTITION BY RANGE (seen_on);

CREATE TABLE collection_condition_old PARTITION OF collection_condition
    FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
CREATE TABLE collection_condition_new PARTITION OF collection_condition
    FOR VALUES FROM ('2020-01-01') TO (MAXVALUE);

CREATE TABLE collection_audit (
    id            bigserial PRIMARY KEY,
    "system_user" text NOT NULL,
    action        text NOT NULL,
    at            timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE collection_vacuumlog (
    at              timestamptz PRIMARY KEY DEFAULT now(),
    tablename       text NOT NULL,
    max_dead_tuples bigint
);

CREATE VIEW collection_lent AS
    SELECT object_id, borrower FROM collection_loan WHERE returned IS NULL;

-- A loan never ends on a Monday, when the museum is closed.
CREATE FUNCTION date_add(start timestamptz, lasts interval) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN to_char(start + lasts, 'ID') = '1'
                THEN start + lasts + interval '1 day'
                ELSE start + lasts
           END
$$;

CREATE FUNCTION date_subtract(day date, days integer) RETURNS date
    LANGUAGE sql IMMUTABLE AS $$
    SELECT day - days
$$;
