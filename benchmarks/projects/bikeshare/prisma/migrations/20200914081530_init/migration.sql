-- CreateTable
CREATE TABLE stations (
    id       serial PRIMARY KEY,
    code     text NOT NULL UNIQUE,
    name     text NOT NULL,
    location point NOT NULL,
    capacity integer NOT NULL DEFAULT 12,
    CONSTRAINT stations_code_check CHECK (code ~ '^[A-Z]{2}[0-9]{3}$')
);

-- CreateTable
CREATE TABLE bikes (
    id         serial PRIMARY KEY,
    serial     text NOT NULL UNIQUE,
    status     integer NOT NULL DEFAULT 0,
    station_id integer REFERENCES stations (id),
    meta       jsonb NOT NULL DEFAULT '{}'
);

-- CreateTable
CREATE TABLE riders (
    id         bigserial PRIMARY KEY,
    email      text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- CreateTable
CREATE TABLE rentals (
    id            bigserial PRIMARY KEY,
    bike_id       integer NOT NULL REFERENCES bikes (id),
    rider_id      bigint NOT NULL REFERENCES riders (id),
    rented_on     date NOT NULL,
    started_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    start_station integer REFERENCES stations (id),
    end_station   integer REFERENCES stations (id),
    route         path
);

-- CreateIndex
CREATE INDEX rentals_rider_idx ON rentals (rider_id, started_at);
CREATE INDEX stations_location_idx ON stations USING gist (location);
