-- Stations, sensors and the areas of the forecast

CREATE TYPE sensor_kind AS ENUM ('radar', 'float', 'pressure');

CREATE TABLE networks (
    id          integer PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    operator    text NOT NULL,
    contact     text,
    priority    smallint NOT NULL DEFAULT 5
);

CREATE TABLE sea_areas (
    id          integer PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    title       text NOT NULL,
    extent      box NOT NULL,
    outline     polygon
);

CREATE TABLE stations (
    id          bigserial PRIMARY KEY,
    network_id  integer NOT NULL REFERENCES networks (id),
    code        text NOT NULL UNIQUE CHECK (code ~ '^[a-z]{4}[0-9]?$'),
    name        text NOT NULL,
    location    point NOT NULL,
    datum_m     numeric(7, 3) NOT NULL DEFAULT 0,
    opened_on   date NOT NULL,
    closed_on   date,
    attributes  jsonb NOT NULL DEFAULT '{}',
    updated_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sensors (
    id          bigserial PRIMARY KEY,
    station_id  bigint NOT NULL REFERENCES stations (id) ON DELETE CASCADE,
    kind        sensor_kind NOT NULL,
    serial_no   text NOT NULL,
    every       interval NOT NULL DEFAULT '1 minute',
    factor      double precision NOT NULL DEFAULT 1,
    installed   timestamptz NOT NULL,
    removed     timestamptz,
    UNIQUE (station_id, serial_no)
);

CREATE TABLE calibrations (
    id          bigserial PRIMARY KEY,
    sensor_id   bigint NOT NULL REFERENCES sensors (id) ON DELETE CASCADE,
    done_on     date NOT NULL,
    raw_value   double precision NOT NULL,
    true_m      numeric(7, 3) NOT NULL,
    done_by     text NOT NULL
);

CREATE INDEX stations_network ON stations (network_id);
CREATE INDEX stations_location ON stations USING gist (location);
CREATE INDEX stations_attributes ON stations USING gin (attributes jsonb_path_ops);
CREATE INDEX sensors_serial ON sensors ((lower(serial_no)));
CREATE INDEX calibrations_true ON calibrations ((true_m::text));

CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.name IS DISTINCT FROM OLD.name OR NEW.location::text <> OLD.location::text THEN
        NEW.updated_at := timestamptz '2021-06-01 00:00+00';
    END IF;
    RETURN NEW;
END;
$$;

CREATE TRIGGER stations_touch BEFORE UPDATE ON stations
    FOR EACH ROW EXECUTE PROCEDURE touch_updated_at();
