-- +goose Up
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE devices (
    id bigserial PRIMARY KEY,
    name text NOT NULL UNIQUE,
    address inet NOT NULL
);
CREATE INDEX devices_address ON devices (address);
CREATE INDEX devices_networks ON devices USING gist (address inet_ops);

-- an address belongs to one device at a time
CREATE TABLE leases (
    device_id bigint NOT NULL REFERENCES devices (id),
    address inet NOT NULL,
    during tstzrange NOT NULL,
    EXCLUDE USING gist (
        address WITH =,
        during WITH &&
    )
);

CREATE TABLE bookings (
    telescope integer NOT NULL,
    during tstzrange NOT NULL,
    program_id bigint NOT NULL REFERENCES programs (id),
    EXCLUDE USING gist (
        telescope WITH =,
        during WITH &&
    )
);

-- +goose Down
DROP TABLE bookings;
DROP TABLE leases;
DROP TABLE devices;
