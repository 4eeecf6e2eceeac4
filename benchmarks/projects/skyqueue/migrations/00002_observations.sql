-- +goose Up
CREATE TABLE observations (
    id bigserial PRIMARY KEY,
    target_id bigint NOT NULL REFERENCES targets (id),
    night date NOT NULL,
    seq integer NOT NULL,
    exposure_s integer NOT NULL CHECK (exposure_s > 0),
    repeats integer NOT NULL DEFAULT 1,
    total_s integer GENERATED ALWAYS AS (exposure_s * repeats) STORED,
    skipped boolean NOT NULL DEFAULT false,
    done_at timestamptz
);
CREATE UNIQUE INDEX observations_night_seq ON observations (night, seq);

-- +goose Down
DROP TABLE observations;
