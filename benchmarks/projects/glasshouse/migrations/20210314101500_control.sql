-- Sensors, actuators, climate profiles, irrigation.

CREATE TABLE sensors (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zones (id),
    topic       text NOT NULL UNIQUE,
    quantity    text NOT NULL CHECK (quantity IN ('temperature', 'humidity', 'co2', 'par', 'moisture', 'ec')),
    unit        text NOT NULL,
    slope       double precision NOT NULL DEFAULT 1,
    intercept   double precision NOT NULL DEFAULT 0,
    gamma       double precision NOT NULL DEFAULT 1,
    installed_on date NOT NULL,
    removed_on  date
);

CREATE TABLE sensor_readings (
    sensor_id   integer NOT NULL REFERENCES sensors (id),
    taken_at    timestamptz NOT NULL,
    value       double precision NOT NULL,
    raw         integer,
    PRIMARY KEY (sensor_id, taken_at)
) PARTITION BY RANGE (taken_at);
CREATE TABLE sensor_readings_2023 PARTITION OF sensor_readings
    FOR VALUES FROM ('2023-01-01 00:00:00+00') TO ('2024-01-01 00:00:00+00');
CREATE TABLE sensor_readings_2024 PARTITION OF sensor_readings
    FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');
CREATE TABLE sensor_readings_rest PARTITION OF sensor_readings DEFAULT;
CREATE INDEX sensor_readings_taken ON sensor_readings USING brin (taken_at);

-- what the gateways have sent and nobody has looked at yet; may be empty after a crash
CREATE UNLOGGED TABLE sensor_inbox (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic       text NOT NULL,
    payload     jsonb NOT NULL,
    arrived_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE actuators (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zones (id),
    kind        text NOT NULL CHECK (kind IN ('vent', 'screen', 'lamp', 'pump', 'heater', 'fogger')),
    topic       text NOT NULL UNIQUE,
    max_steps   integer NOT NULL DEFAULT 100
);

CREATE TABLE actuator_log (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    actuator_id   integer NOT NULL REFERENCES actuators (id),
    step          integer NOT NULL,
    reason        text NOT NULL,
    "system_user" text NOT NULL DEFAULT 'glasshoused',
    switched_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX actuator_log_recent ON actuator_log (actuator_id, switched_at DESC);

CREATE TABLE climate_profiles (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zones (id),
    name        text NOT NULL,
    settings    jsonb NOT NULL DEFAULT '{}',
    json_value  text,
    valid       daterange NOT NULL DEFAULT daterange(current_date, NULL),
    UNIQUE (zone_id, name)
);
CREATE INDEX climate_profiles_settings ON climate_profiles USING gin (settings jsonb_path_ops);

CREATE TABLE irrigation_programs (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zones (id),
    name        text NOT NULL,
    starts_at   time NOT NULL,
    run_time    interval NOT NULL,
    pause       interval NOT NULL DEFAULT '00:20:00',
    ec_target   numeric(4, 2) NOT NULL,
    enabled     boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX irrigation_programs_variant
    ON irrigation_programs (zone_id, lower(name), (run_time::text));
CREATE INDEX irrigation_programs_long
    ON irrigation_programs ((extract(epoch FROM run_time)));
CREATE INDEX irrigation_programs_start
    ON irrigation_programs (zone_id, (starts_at::interval));

CREATE TABLE irrigation_runs (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    program_id  integer NOT NULL REFERENCES irrigation_programs (id),
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    litres      numeric(9, 2),
    drain_pct   numeric(5, 2)
);

CREATE TABLE nutrient_recipes (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    parts       jsonb NOT NULL,
    ph          numeric(3, 1) NOT NULL
);

CREATE TABLE alert_rules (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    quantity    text NOT NULL,
    low         double precision,
    high        double precision,
    hold        interval NOT NULL DEFAULT '00:05:00',
    severity    smallint NOT NULL DEFAULT 2
);

CREATE TABLE alerts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rule_id     integer NOT NULL REFERENCES alert_rules (id),
    zone_id     integer NOT NULL REFERENCES zones (id),
    severity    smallint NOT NULL,
    raised_at   timestamptz NOT NULL DEFAULT now(),
    acknowledged_at timestamptz,
    acknowledged_by integer REFERENCES operators (id),
    detail      jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX alerts_open ON alerts (zone_id, severity DESC) WHERE acknowledged_at IS NULL;
