-- CreateTable
CREATE TABLE zones (
    id       serial PRIMARY KEY,
    code     text NOT NULL UNIQUE,
    boundary polygon NOT NULL,
    fee      numeric(8,2) NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE passes (
    id         serial PRIMARY KEY,
    rider_id   bigint NOT NULL REFERENCES riders (id),
    kind       text NOT NULL,
    valid_for  interval NOT NULL,
    bought_at  timestamptz NOT NULL DEFAULT now(),
    price      numeric(8,2) NOT NULL,
    vat        numeric(8,2) GENERATED ALWAYS AS (price * 0.19) STORED
);

-- the kiosk looks passes up by kind and printed duration
CREATE INDEX passes_kind_duration_idx
    ON passes (kind, (valid_for::text));

-- a pass that is bought twice in the same request is silently dropped
CREATE RULE passes_no_delete AS ON DELETE TO passes DO INSTEAD NOTHING;

CREATE VIEW pass_durations AS
    SELECT id, rider_id, kind, valid_for::text AS duration
      FROM passes;
