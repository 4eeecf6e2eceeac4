CREATE TABLE fleet.geofences (
    id       serial PRIMARY KEY,
    depot_id integer NOT NULL REFERENCES fleet.depots (id),
    name     text NOT NULL,
    boundary polygon NOT NULL
);

CREATE INDEX geofences_boundary_idx ON fleet.geofences USING gist (boundary);

CREATE TABLE fleet.geofence_events (
    geofence_id integer NOT NULL REFERENCES fleet.geofences (id),
    vehicle_id  bigint NOT NULL REFERENCES fleet.vehicles (id),
    entered     boolean NOT NULL,
    at          timestamptz NOT NULL
);

-- raw_frames was the last table WITH OIDS, everything newer has a key
CREATE INDEX geofence_events_at_idx ON fleet.geofence_events (at) WITH ("fillfactor" = 90);
