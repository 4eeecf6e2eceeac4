-- where the couriers are; a day is dropped after a week

CREATE TABLE courier_pings (
    courier_id integer NOT NULL,
    pinged_at timestamptz NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    battery integer
) PARTITION BY RANGE (pinged_at);

CREATE TABLE courier_pings_w23 PARTITION OF courier_pings FOR VALUES FROM ('2024-06-03 00:00+00') TO ('2024-06-10 00:00+00');
CREATE UNLOGGED TABLE courier_pings_w24 PARTITION OF courier_pings FOR VALUES FROM ('2024-06-10 00:00+00') TO ('2024-06-17 00:00+00');
CREATE INDEX courier_pings_courier_idx ON courier_pings (courier_id, pinged_at);

CREATE TABLE shift_totals (
    courier_id integer NOT NULL REFERENCES couriers,
    day date NOT NULL,
    rides integer NOT NULL DEFAULT 0,
    km numeric(7,2) NOT NULL DEFAULT 0,
    per_ride numeric(7,2) GENERATED ALWAYS AS (km / nullif(rides, 0)) STORED,
    PRIMARY KEY (courier_id, day)
);

-- pings need not survive a crash
ALTER TABLE courier_pings SET UNLOGGED;
ALTER TABLE courier_pings_w23 SET UNLOGGED;
ALTER TABLE shift_totals SET LOGGED;
COMMENT ON TABLE courier_pings_w24 IS 'made UNLOGGED, as all weeks from now on';
