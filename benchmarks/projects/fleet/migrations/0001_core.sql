CREATE SCHEMA fleet;

CREATE TABLE fleet.depots (
    id   integer PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE fleet.vehicles (
    id           bigserial PRIMARY KEY,
    depot_id     integer NOT NULL REFERENCES fleet.depots (id),
    plate        text NOT NULL UNIQUE,
    asset_tag    text NOT NULL,
    drivetrain   text NOT NULL DEFAULT '4x2',
    purchased_on date NOT NULL,
    odometer_km  numeric(10, 1) NOT NULL DEFAULT 0,
    retired      boolean NOT NULL DEFAULT false
);

CREATE TABLE fleet.drivers (
    id         bigserial PRIMARY KEY,
    depot_id   integer NOT NULL REFERENCES fleet.depots (id),
    full_name  text NOT NULL,
    licence_no text NOT NULL UNIQUE
);

-- Frames of the old GPRS boxes have no key of their own; the decoder
-- acknowledges them by row.
CREATE TABLE fleet.raw_frames (
    box_imei    text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    frame       bytea NOT NULL
) WITH OIDS;

CREATE INDEX raw_frames_received_at_idx ON fleet.raw_frames (received_at);
