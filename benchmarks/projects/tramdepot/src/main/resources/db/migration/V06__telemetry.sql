CREATE TABLE telemetry (
    tram_id integer NOT NULL,
    at timestamptz NOT NULL,
    km integer,
    volts real,
    op_bytes bigint,
    PRIMARY KEY (tram_id, at)
) PARTITION BY RANGE (at);

CREATE TABLE telemetry_2024 PARTITION OF telemetry FOR VALUES FROM ('2024-01-01 00:00+00') TO ('2025-01-01 00:00+00');
CREATE TABLE telemetry_2025 PARTITION OF telemetry FOR VALUES FROM ('2025-01-01 00:00+00') TO ('2026-01-01 00:00+00');

CREATE UNLOGGED TABLE telemetry_raw (
    received timestamptz NOT NULL DEFAULT now(),
    line text NOT NULL
);

-- can be fetched from the trams again, so no WAL
ALTER TABLE telemetry SET UNLOGGED;
ALTER TABLE telemetry_2024 SET UNLOGGED;
ALTER TABLE telemetry_2025 SET UNLOGGED;

CREATE TABLE wheel_profiles (
    tram_id integer NOT NULL REFERENCES trams (id),
    axle smallint NOT NULL,
    measured date NOT NULL,
    left_mm numeric(5,2) NOT NULL,
    right_mm numeric(5,2) NOT NULL,
    worst_mm numeric(5,2) GENERATED ALWAYS AS (least(left_mm, right_mm)) STORED,
    PRIMARY KEY (tram_id, axle, measured)
);
