CREATE TABLE vehicles (
    id serial PRIMARY KEY,
    plate text NOT NULL UNIQUE,
    location point,
    seen_at timestamptz
);

CREATE TABLE zones (
    code text PRIMARY KEY,
    shape polygon NOT NULL
);

CREATE INDEX vehicles_location ON vehicles USING gist (location);
