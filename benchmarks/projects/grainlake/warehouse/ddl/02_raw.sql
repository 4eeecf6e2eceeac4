CREATE TABLE raw.regions (
    region_code text PRIMARY KEY,
    name        text NOT NULL,
    outline     polygon NOT NULL
);

CREATE TABLE raw.sites (
    site_id    integer PRIMARY KEY,
    name       text NOT NULL,
    location   point NOT NULL,
    attributes hstore NOT NULL DEFAULT '',
    email      text
);

CREATE TABLE raw.farms (
    farm_id integer PRIMARY KEY,
    name    text NOT NULL,
    phones  text,
    fax     text,
    crm_ref text
);

CREATE TABLE raw.deliveries (
    delivery_id bigint PRIMARY KEY,
    site_id     integer NOT NULL REFERENCES raw.sites,
    farm_id     integer NOT NULL REFERENCES raw.farms,
    crop        text NOT NULL,
    grade_codes integer[] NOT NULL DEFAULT '{}',
    gross_kg    integer NOT NULL,
    tare_kg     integer NOT NULL,
    net_kg      integer GENERATED ALWAYS AS (gross_kg - tare_kg) STORED,
    arrived_at  timestamptz NOT NULL,
    left_at     timestamptz,
    delivered_on date NOT NULL,
    note        text
);

CREATE TABLE raw.silo_readings (
    silo_id     integer NOT NULL,
    read_at     timestamptz NOT NULL,
    temperature numeric(5,2),
    moisture    numeric(5,2)
) PARTITION BY RANGE (read_at);

CREATE TABLE raw.silo_readings_2023 PARTITION OF raw.silo_readings
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE raw.silo_readings_2024 PARTITION OF raw.silo_readings
    FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');

CREATE TABLE raw.lab_results (
    sample_id  bigint PRIMARY KEY,
    delivery_id bigint NOT NULL,
    payload    jsonb NOT NULL,
    taken_at   timestamptz NOT NULL
);

CREATE UNLOGGED TABLE raw.lab_inbox (
    line_no  bigserial,
    line     text
);

CREATE INDEX deliveries_arrived_at_idx ON raw.deliveries USING brin (arrived_at);
CREATE INDEX deliveries_site_farm_idx ON raw.deliveries (site_id, farm_id);
