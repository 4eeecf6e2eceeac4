-- +goose Up
-- What internal/metrics saw, for the capacity report: one row an hour, kept for a year.
CREATE TABLE db_samples (
    taken_at          timestamptz PRIMARY KEY DEFAULT now(),
    checkpoints_timed bigint NOT NULL,
    buffers_clean     bigint NOT NULL,
    sessions          integer NOT NULL
);

CREATE TABLE holidays (
    day  date PRIMARY KEY,
    name text NOT NULL
);

-- +goose Down
DROP TABLE holidays;
