--liquibase formatted sql

--changeset nadia:001-extensions
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

--changeset nadia:001-branches
CREATE TABLE branches (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    name        text NOT NULL,
    time_zone   text NOT NULL DEFAULT 'Europe/Zurich',
    opened_on   date NOT NULL,
    closed_on   date
);

CREATE TABLE staff (
    id          serial PRIMARY KEY,
    branch_id   integer NOT NULL REFERENCES branches (id),
    login       text NOT NULL UNIQUE,
    full_name   text NOT NULL,
    role        text NOT NULL DEFAULT 'clerk' CHECK (role IN ('clerk', 'manager', 'auditor', 'adminpack'))
);
COMMENT ON COLUMN staff.role IS 'adminpack is the service role of the old pgAdmin jobs';

CREATE TABLE vaults (
    id          serial PRIMARY KEY,
    branch_id   integer NOT NULL REFERENCES branches (id),
    name        text NOT NULL,
    floor_level smallint NOT NULL DEFAULT -1,
    UNIQUE (branch_id, name)
);

-- areas are drawn in the floor plan, in centimetres from the door
CREATE TABLE vault_zones (
    id          serial PRIMARY KEY,
    vault_id    integer NOT NULL REFERENCES vaults (id),
    label       text NOT NULL,
    area        box NOT NULL,
    sprinkler   circle
);

CREATE TABLE box_sizes (
    code        text PRIMARY KEY,
    height_mm   integer NOT NULL,
    width_mm    integer NOT NULL,
    depth_mm    integer NOT NULL,
    volume_l    numeric GENERATED ALWAYS AS (height_mm::numeric * width_mm * depth_mm / 1000000) STORED
);

CREATE TABLE boxes (
    id          serial PRIMARY KEY,
    vault_id    integer NOT NULL REFERENCES vaults (id),
    box_no      text NOT NULL,
    size_code   text NOT NULL REFERENCES box_sizes (code),
    tier        integer NOT NULL,
    spot        point NOT NULL,
    out_of_service boolean NOT NULL DEFAULT false
);
CREATE INDEX boxes_vault_idx ON boxes (vault_id, tier);
CREATE INDEX boxes_spot_idx ON boxes USING gist (spot);

--changeset nadia:001-customers
CREATE TABLE customers (
    id          serial PRIMARY KEY,
    member_no   text,
    full_name   text NOT NULL,
    email       text,
    phone       text,
    born_on     date,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX customers_name_trgm ON customers USING gin (full_name gin_trgm_ops);

CREATE TABLE customer_notes (
    id          serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    body        text NOT NULL,
    written_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tariffs (
    id          serial PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    size_code   text NOT NULL REFERENCES box_sizes (code),
    term        text NOT NULL,
    grace       text NOT NULL DEFAULT '14 days',
    fee         numeric(10,2) NOT NULL
);
COMMENT ON COLUMN tariffs.term IS 'as the marketing department writes it: 1 year, 6 months, ...';
--rollback DROP TABLE tariffs, customer_notes, customers;
