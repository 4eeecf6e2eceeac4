-- +goose Up
CREATE TABLE calibrations (
    night date NOT NULL,
    filter text NOT NULL,
    kind text NOT NULL,
    path text NOT NULL,
    json_value text
);
CREATE UNIQUE INDEX calibrations_key ON calibrations (night, filter, kind) NULLS NOT DISTINCT;
ALTER TABLE calibrations
    ADD CONSTRAINT calibrations_key PRIMARY KEY USING INDEX calibrations_key;

CREATE TABLE filters (
    name text NOT NULL,
    wheel smallint,
    slot smallint,
    UNIQUE NULLS NOT DISTINCT (wheel, slot)
);
CREATE UNIQUE INDEX filters_name ON filters (name);
ALTER TABLE filters ADD CONSTRAINT filters_name PRIMARY KEY USING INDEX filters_name;

-- +goose Down
DROP TABLE filters;
DROP TABLE calibrations;
