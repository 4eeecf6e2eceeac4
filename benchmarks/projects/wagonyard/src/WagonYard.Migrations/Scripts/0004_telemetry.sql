CREATE TABLE telemetry (
    wagon_id     integer NOT NULL REFERENCES wagons (id),
    occurred_at  timestamptz NOT NULL,
    received_at  timestamptz NOT NULL,
    axle         smallint NOT NULL,
    celsius      numeric(5, 1) NOT NULL
);

CREATE INDEX telemetry_received_at ON telemetry (received_at timestamptz_ops);
CREATE INDEX telemetry_occurred_at
    ON telemetry
 USING btree (occurred_at timestamp_ops);

CREATE INDEX telemetry_wagon_axle ON telemetry (wagon_id, axle);
