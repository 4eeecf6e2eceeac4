-- +goose Up
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE sites (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    parent      bigint REFERENCES sites (id),
    level       integer NOT NULL DEFAULT 0,
    name        text NOT NULL,
    timezone    text NOT NULL DEFAULT 'UTC'
);

CREATE TABLE meters (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site_id     bigint NOT NULL REFERENCES sites (id),
    serial_no   text NOT NULL UNIQUE,
    installed   date NOT NULL DEFAULT current_date,
    attributes  jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE readings (
    meter_id    bigint NOT NULL,
    taken_at    timestamptz NOT NULL,
    kwh         numeric(14, 3) NOT NULL
) PARTITION BY RANGE (taken_at);

CREATE TABLE readings_2024 PARTITION OF readings
    FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE readings_default PARTITION OF readings DEFAULT;

CREATE INDEX readings_meter_idx ON readings (meter_id, taken_at);

-- +goose Down
DROP TABLE readings;
DROP TABLE meters;
DROP TABLE sites;
