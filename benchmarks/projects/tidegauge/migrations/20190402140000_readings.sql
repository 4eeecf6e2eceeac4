-- Readings, by year

CREATE TABLE readings (
    station_id  bigint NOT NULL,
    measured_at timestamptz NOT NULL,
    level_m     numeric(7, 3) NOT NULL,
    quality     smallint NOT NULL DEFAULT 1,
    source      text NOT NULL DEFAULT 'telemetry',
    PRIMARY KEY (station_id, measured_at)
) PARTITION BY RANGE (measured_at);

CREATE TABLE readings_2020 PARTITION OF readings
    FOR VALUES FROM ('2020-01-01 00:00+00') TO ('2021-01-01 00:00+00');
CREATE TABLE readings_2021 PARTITION OF readings
    FOR VALUES FROM ('2021-01-01 00:00+00') TO ('2022-01-01 00:00+00');
CREATE TABLE readings_rest PARTITION OF readings DEFAULT;

ALTER TABLE readings ADD CONSTRAINT readings_station_fkey
    FOREIGN KEY (station_id) REFERENCES stations (id);

CREATE INDEX readings_at ON readings (measured_at);
-- insert-only: no full scan of this one for every vacuum
CREATE INDEX readings_2021_quality ON readings_2021 (quality)
    WITH (vacuum_cleanup_index_scale_factor = 0.3);

CREATE TABLE mean_levels (
    station_id  bigint NOT NULL REFERENCES stations (id),
    month       date NOT NULL CHECK (date_part('day', month) = 1),
    level_m     numeric(7, 3) NOT NULL,
    readings    integer NOT NULL DEFAULT 0,
    PRIMARY KEY (station_id, month)
);

CREATE TABLE gaps (
    id          bigserial PRIMARY KEY,
    station_id  bigint NOT NULL REFERENCES stations (id),
    missing     tstzrange NOT NULL,
    reason      text,
    "system_user" text NOT NULL DEFAULT 'collector',
    EXCLUDE USING gist (missing WITH &&) WHERE (reason IS NULL)
);

-- Middle of the bin that a time belongs to: bins are centred, as IOC wants them.
CREATE FUNCTION date_bin(p_width interval, p_at timestamptz, p_origin timestamptz)
    RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT p_origin + floor(date_part('epoch', p_at - p_origin) / date_part('epoch', p_width) + 0.5) * p_width
$$;

-- Hours since the last high water (M2 only)
CREATE FUNCTION tide_phase(p_at timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT round((date_part('epoch', p_at) / 3600)::numeric % 12.4206, 2)
$$;

CREATE FUNCTION tide_phase(p_at timestamptz, p_station bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT round(((date_part('epoch', p_at) / 3600)::numeric + p_station) % 12.4206, 2)
$$;

CREATE FUNCTION level_class(p_level numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_level >= 3 THEN 'storm' WHEN p_level >= 2 THEN 'high' ELSE 'normal' END
$$;
