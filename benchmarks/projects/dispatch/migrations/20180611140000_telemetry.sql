-- Position reports of the vehicles, about one every ten seconds
CREATE TABLE telemetry (
    unit_id     integer NOT NULL REFERENCES units,
    recorded_at timestamptz NOT NULL,
    position    point NOT NULL,
    speed_kmh   real,
    payload     json
);
CREATE INDEX telemetry_unit_idx ON telemetry (unit_id, recorded_at);

CREATE TABLE telemetry_archive (LIKE telemetry INCLUDING DEFAULTS);

-- The old vehicle gateway acknowledges a row by its oid.
ALTER TABLE telemetry
    SET WITH OIDS;

-- It never reads the archive.
ALTER TABLE telemetry_archive
    SET WITHOUT OIDS;

CREATE FUNCTION telemetry_speed(doc json) RETURNS real
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT (doc ->> 'speed')::real $$;
