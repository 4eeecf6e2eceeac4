CREATE SCHEMA core;

-- Status of a logger as its eight lamps
CREATE FUNCTION public.to_bin(flags integer) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT flags::bit(8)::text
$$;

-- The same for a flag of the old loggers, with its name
CREATE FUNCTION public.to_bin(flags integer, name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT name || '=' || flags::bit(4)::text
$$;

-- Depths from top to bottom, without repetition
CREATE FUNCTION public.array_sort(depths integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT array_agg(DISTINCT d ORDER BY d DESC) FROM unnest(depths) d
$$;

CREATE TABLE core.stations (
    code text PRIMARY KEY,
    name text NOT NULL,
    country char(2) NOT NULL,
    timezone text NOT NULL DEFAULT 'UTC',
    timezone_short text,
    elevation_m integer,
    depths_cm integer[] NOT NULL DEFAULT '{10,30,60}',
    installed_on date NOT NULL
);

CREATE TABLE core.devices (
    id serial PRIMARY KEY,
    station_code text NOT NULL REFERENCES core.stations (code),
    serial_no text NOT NULL UNIQUE,
    status_flags integer NOT NULL DEFAULT 0,
    power numeric(8,2) NOT NULL DEFAULT 0,
    battery_mv integer,
    last_contact timestamptz
);

CREATE TABLE core.parameters (
    code text PRIMARY KEY,
    label text NOT NULL,
    unit text NOT NULL,
    method text,
    decimals integer NOT NULL DEFAULT 2
);

CREATE TABLE core.parameter_limits (
    parameter_code text NOT NULL REFERENCES core.parameters (code),
    horizon text,
    low numeric,
    high numeric,
    CONSTRAINT parameter_limits_once UNIQUE NULLS NOT DISTINCT (parameter_code, horizon)
);

CREATE TABLE core.labs (
    code text PRIMARY KEY,
    name text NOT NULL,
    accredited_until date
);

CREATE TABLE core.samples (
    id bigserial PRIMARY KEY,
    sample_no text NOT NULL,
    station_code text NOT NULL,
    depth_cm integer NOT NULL,
    taken_at timestamptz NOT NULL,
    wet_g numeric(10,3),
    dry_g numeric(10,3),
    water_g numeric(10,3)
);
CREATE INDEX samples_station ON core.samples (station_code, taken_at);

CREATE TABLE core.lab_samples (
    lab_code text NOT NULL REFERENCES core.labs (code),
    lab_no text NOT NULL,
    water_share numeric GENERATED ALWAYS AS (round((wet_g - dry_g) / nullif(wet_g, 0), 4)) STORED
) INHERITS (core.samples);
ALTER TABLE core.lab_samples ADD PRIMARY KEY (id);

CREATE TABLE core.field_samples (
    taken_by text NOT NULL,
    temperature_c numeric(4,1) NOT NULL
) INHERITS (core.samples);
ALTER TABLE core.field_samples ADD PRIMARY KEY (id);

-- Samples of the archive were dried long after: their water is what is missing
CREATE TABLE core.archive_samples (
    shelf text NOT NULL,
    water_g numeric(10,3) GENERATED ALWAYS AS (wet_g - dry_g) STORED
) INHERITS (core.samples);

-- Laboratories mix the depths of a profile, and number their samples later
ALTER TABLE core.lab_samples ALTER COLUMN lab_no DROP NOT NULL;
ALTER TABLE core.lab_samples ALTER COLUMN depth_cm DROP NOT NULL;
ALTER TABLE core.field_samples ALTER COLUMN temperature_c DROP NOT NULL;
ALTER TABLE core.field_samples ALTER COLUMN wet_g SET DEFAULT 0;

CREATE TABLE core.measurements (
    station_code text NOT NULL REFERENCES core.stations (code),
    parameter_code text NOT NULL REFERENCES core.parameters (code),
    depth_cm integer NOT NULL,
    measured_at timestamptz NOT NULL,
    value numeric,
    source text NOT NULL DEFAULT 'logger',
    PRIMARY KEY (station_code, parameter_code, depth_cm, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE TABLE core.measurements_2023 PARTITION OF core.measurements FOR VALUES FROM ('2023-01-01 00:00+00') TO ('2024-01-01 00:00+00');
CREATE TABLE core.measurements_2024 PARTITION OF core.measurements FOR VALUES FROM ('2024-01-01 00:00+00') TO ('2025-01-01 00:00+00');
CREATE TABLE core.measurements_rest PARTITION OF core.measurements DEFAULT;
CREATE INDEX measurements_time ON core.measurements USING brin (measured_at);

CREATE TABLE core.substances (
    code text PRIMARY KEY,
    label text NOT NULL,
    daily_loss numeric NOT NULL CHECK (daily_loss BETWEEN 0 AND 1)
);

CREATE TABLE core.applications (
    id serial PRIMARY KEY,
    station_code text NOT NULL REFERENCES core.stations (code),
    substance_code text NOT NULL REFERENCES core.substances (code),
    applied_on date NOT NULL,
    dose_g_ha numeric NOT NULL
);

CREATE TABLE core.reagents (
    code text PRIMARY KEY,
    label text NOT NULL,
    stock_ml numeric NOT NULL DEFAULT 0,
    reorder_ml numeric NOT NULL DEFAULT 100
);

CREATE TABLE core.reagent_usage (
    id serial PRIMARY KEY,
    code text NOT NULL REFERENCES core.reagents (code),
    stock_ml numeric NOT NULL,
    remark text,
    used_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION core.take_reagent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    taken numeric;
BEGIN
    UPDATE core.reagents
       SET stock_ml = reagents.stock_ml - NEW.stock_ml
     WHERE reagents.code = NEW.code
    RETURNING NEW.stock_ml
         INTO taken;
    IF taken > 500 THEN
        NEW.remark := concat_ws('; ', NEW.remark, 'bulk');
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reagent_usage_take BEFORE INSERT ON core.reagent_usage FOR EACH ROW EXECUTE FUNCTION core.take_reagent();

CREATE FUNCTION core.touch_device() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was_low boolean;
BEGIN
    UPDATE core.devices d
       SET last_contact = NEW.measured_at
     WHERE d.station_code = NEW.station_code
    RETURNING d.battery_mv < 3300
         INTO was_low;
    IF was_low THEN
        NEW.source := 'logger (low battery)';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER measurements_touch BEFORE INSERT ON core.measurements_2024 FOR EACH ROW EXECUTE FUNCTION core.touch_device();

CREATE FUNCTION core.restock(reagent text, ml numeric) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    new_stock numeric;
BEGIN
    UPDATE core.reagents r SET stock_ml = r.stock_ml + ml WHERE r.code = reagent RETURNING r.stock_ml INTO new_stock;
    RETURN new_stock;
END
$$;
