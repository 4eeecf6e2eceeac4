-- depots, wagons, inspections
CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE depots (
    id          serial PRIMARY KEY,
    code        varchar(8) NOT NULL UNIQUE,
    name        text NOT NULL,
    location    point,
    opened_on   date
) WITHOUT OIDS;

CREATE TABLE wagons (
    id           serial PRIMARY KEY,
    depot_id     integer NOT NULL REFERENCES depots (id),
    uic_number   varchar(14) NOT NULL UNIQUE,
    kind         text NOT NULL,
    tare_kg      integer NOT NULL,
    load_limit   numeric(10, 2),
    built_on     date,
    attributes   hstore NOT NULL DEFAULT '',
    remarks      text
) WITH (fillfactor = 80);

CREATE INDEX wagons_kind_prefix ON wagons (kind text_pattern_ops);
CREATE INDEX wagons_attributes ON wagons USING gin (attributes);

CREATE TABLE inspections (
    id            serial PRIMARY KEY,
    wagon_id      integer NOT NULL REFERENCES wagons (id),
    inspected_at  timestamptz NOT NULL,
    finished_at   timestamptz,
    booked_for    timestamp NOT NULL,
    inspector     text NOT NULL,
    sheet         xml
);

CREATE INDEX inspections_booked_for ON inspections USING btree (booked_for timestamp_ops);

CREATE TABLE defects (
    id             serial PRIMARY KEY,
    inspection_id  integer NOT NULL REFERENCES inspections (id),
    code           text NOT NULL,
    severity       smallint NOT NULL CHECK (severity BETWEEN 1 AND 5),
    details        jsonb NOT NULL DEFAULT '{}',
    found_at       timestamptz NOT NULL
);
