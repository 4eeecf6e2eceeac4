-- Stations, vehicles, areas
CREATE TABLE stations (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    name        text NOT NULL,
    position    point NOT NULL
);

CREATE TABLE zones (
    id          serial PRIMARY KEY,
    name        text NOT NULL,
    area        polygon NOT NULL,
    catchment   circle
);
CREATE INDEX zones_area_idx ON zones USING gist (area);

CREATE TABLE units (
    id          serial PRIMARY KEY,
    callsign    text NOT NULL UNIQUE CHECK (callsign ~ '^[A-Z]+-[0-9]+$'),
    station_id  integer NOT NULL REFERENCES stations,
    kind        text NOT NULL DEFAULT 'ALS',
    status      text NOT NULL DEFAULT 'available',
    position    point,
    last_seen   timestamptz
);

CREATE TABLE incidents (
    id          bigserial PRIMARY KEY,
    called_at   timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,
    priority    smallint NOT NULL,
    lat         double precision NOT NULL,
    lon         double precision NOT NULL,
    address     text,
    phone       text,
    status      text NOT NULL DEFAULT 'open',
    fingerprint text
);
CREATE INDEX incidents_called_at_idx ON incidents (called_at);

CREATE TABLE assignments (
    id            bigserial PRIMARY KEY,
    incident_id   bigint NOT NULL REFERENCES incidents,
    unit_id       integer NOT NULL REFERENCES units,
    dispatched_at timestamptz NOT NULL DEFAULT now(),
    arrived_at    timestamptz,
    cleared_at    timestamptz,
    distance_m    numeric(10, 1)
);

CREATE TABLE shifts (
    id          serial PRIMARY KEY,
    unit_id     integer NOT NULL REFERENCES units,
    shift_date  date NOT NULL,
    starts_at   timestamptz NOT NULL,
    ends_at     timestamptz NOT NULL
);

-- consrc: where the patient's consent came from (crew, family, court)
CREATE TABLE consents (
    incident_id bigint PRIMARY KEY REFERENCES incidents,
    consrc      text NOT NULL,
    given_at    timestamptz NOT NULL DEFAULT now()
);
