-- +goose Up
SET standard_conforming_strings = on;

CREATE TABLE stream_positions (
    name text PRIMARY KEY,
    flushed pg_lsn NOT NULL,
    applied pg_lsn NOT NULL,
    sync_error_count integer NOT NULL DEFAULT 0,
    note text NOT NULL DEFAULT E'\n'
);

CREATE TABLE vacuum_samples (
    at timestamptz PRIMARY KEY,
    relation text NOT NULL,
    num_dead_tuples bigint NOT NULL
);

CREATE RULE keep_positions AS ON DELETE TO stream_positions DO INSTEAD NOTHING;

-- +goose Down
DROP TABLE vacuum_samples;
DROP TABLE stream_positions;
