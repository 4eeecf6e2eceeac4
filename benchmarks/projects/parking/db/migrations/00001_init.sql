-- +goose Up
CREATE EXTENSION IF NOT EXISTS citext;

CREATE TABLE zones (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    name        text NOT NULL,
    area        polygon NOT NULL,
    day_rate    numeric(6, 2) NOT NULL DEFAULT 0,
    max_permits integer NOT NULL DEFAULT 100 CHECK (max_permits > 0)
);

CREATE TABLE residents (
    id         bigserial PRIMARY KEY,
    email      citext NOT NULL UNIQUE,
    full_name  text NOT NULL,
    street     text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE vehicles (
    id          bigserial PRIMARY KEY,
    resident_id bigint NOT NULL REFERENCES residents ON DELETE CASCADE,
    plate       text NOT NULL,
    -- what the registry answered, as it came
    attributes  jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT plate_format CHECK (plate ~ '^[A-Z]{1,3}-[A-Z]{1,2} [0-9]{1,4}$')
);

CREATE UNIQUE INDEX vehicles_plate ON vehicles (upper(plate));

CREATE TABLE permits (
    id          bigserial PRIMARY KEY,
    vehicle_id  bigint NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    zone_id     integer NOT NULL REFERENCES zones,
    kind        text NOT NULL DEFAULT 'resident' CHECK (kind IN ('resident', 'visitor', 'trade', 'disabled')),
    valid_from  date NOT NULL DEFAULT current_date,
    duration    interval NOT NULL,
    bays        integer NOT NULL DEFAULT 1,
    issued_at   timestamptz NOT NULL DEFAULT now(),
    revoked_at  timestamptz
);

CREATE INDEX permits_zone ON permits (zone_id, valid_from) WHERE revoked_at IS NULL;
CREATE INDEX permits_bays ON permits ((bays::text));
