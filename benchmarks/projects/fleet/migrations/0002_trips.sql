CREATE TABLE fleet.trips (
    id          bigserial PRIMARY KEY,
    vehicle_id  bigint NOT NULL REFERENCES fleet.vehicles (id),
    driver_id   bigint NOT NULL REFERENCES fleet.drivers (id),
    "2nd_driver_id" bigint REFERENCES fleet.drivers (id),
    consrc      text,            -- consignment source, as in the dispatch export
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    distance_km numeric(9, 2) NOT NULL DEFAULT 0
);

CREATE INDEX trips_vehicle_started_idx ON fleet.trips (vehicle_id, started_at DESC);

CREATE TABLE fleet.duty_roster (
    driver_id  bigint NOT NULL REFERENCES fleet.drivers (id),
    duty_date  date NOT NULL,
    duty_from  time NOT NULL,
    PRIMARY KEY (driver_id, duty_date)
);

CREATE TABLE fleet.positions (
    vehicle_id  bigint NOT NULL REFERENCES fleet.vehicles (id),
    recorded_at timestamptz NOT NULL,
    latitude    numeric(9, 6) NOT NULL,
    longitude   numeric(9, 6) NOT NULL,
    position    point NOT NULL,
    speed_kmh   integer NOT NULL,
    PRIMARY KEY (vehicle_id, recorded_at)
) WITH (fillfactor = 100);

-- One row per vehicle, updated every few seconds: leave room for HOT updates.
CREATE TABLE fleet.last_positions (
    vehicle_id  bigint PRIMARY KEY REFERENCES fleet.vehicles (id),
    recorded_at timestamptz NOT NULL,
    position    point NOT NULL
) WITH ("FillFactor" = 60);
