-- +goose Up
CREATE TABLE gate_devices (
    device_id   text PRIMARY KEY,
    gate        text NOT NULL,
    "system_user" text,
    last_seen   timestamptz
);

CREATE TABLE table_sizes (
    taken_at        timestamptz NOT NULL DEFAULT now(),
    table_name      text NOT NULL,
    num_dead_tuples bigint NOT NULL,
    PRIMARY KEY (taken_at, table_name)
);

-- +goose Down
DROP TABLE gate_devices;
