SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;

CREATE TABLE users (
    id serial PRIMARY KEY,
    email text NOT NULL UNIQUE,
    "system_user" boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE user_settings (
    user_id integer NOT NULL REFERENCES users (id),
    key text NOT NULL,
    value text,
    PRIMARY KEY (user_id, key)
);

CREATE TABLE vehicles (
    id serial PRIMARY KEY,
    plate text NOT NULL UNIQUE,
    retired_on date
);

CREATE TABLE bookings (
    id bigserial PRIMARY KEY,
    vehicle_id integer NOT NULL REFERENCES vehicles (id),
    user_id integer NOT NULL REFERENCES users (id),
    during tstzrange NOT NULL,
    CONSTRAINT bookings_no_overlap
        EXCLUDE USING gist (vehicle_id WITH =, during WITH &&)
);

CREATE TABLE modem_leases (
    id bigserial PRIMARY KEY,
    vehicle_id integer NOT NULL REFERENCES vehicles (id),
    address inet NOT NULL,
    leased tstzrange NOT NULL,
    CONSTRAINT modem_leases_one_owner
        EXCLUDE USING gist (address WITH =, leased WITH &&)
);

CREATE TABLE readings (
    vehicle_id integer NOT NULL,
    taken_at timestamptz NOT NULL,
    speed real,
    fuel numeric(5, 2)
);
CREATE TABLE readings_archive (
    archived_at timestamptz NOT NULL DEFAULT now()
) INHERITS (readings);
CREATE INDEX readings_vehicle ON readings (vehicle_id, taken_at);
