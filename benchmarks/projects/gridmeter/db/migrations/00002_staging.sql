-- +goose Up
-- Raw frames of the concentrators; they may be lost in a crash.
CREATE UNLOGGED TABLE raw_frames (
    received_at timestamptz NOT NULL DEFAULT now(),
    concentrator text NOT NULL,
    frame bytea NOT NULL
);

CREATE UNLOGGED TABLE frame_errors (
    happened_at timestamptz NOT NULL DEFAULT now(),
    concentrator text NOT NULL,
    message text NOT NULL
) PARTITION BY RANGE (happened_at);

CREATE TABLE export_queue (
    queued_at timestamptz NOT NULL,
    meter_id bigint NOT NULL,
    body jsonb NOT NULL
) PARTITION BY RANGE (queued_at);

CREATE UNLOGGED TABLE export_queue_now PARTITION OF export_queue
    FOR VALUES FROM ('2024-01-01') TO ('2030-01-01');

-- +goose Down
DROP TABLE export_queue;
DROP TABLE frame_errors;
DROP TABLE raw_frames;
