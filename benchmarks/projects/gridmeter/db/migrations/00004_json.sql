-- +goose Up
-- What the export calls; ours is older than the one of the standard.
CREATE FUNCTION json_scalar(value text) RETURNS json
    LANGUAGE sql IMMUTABLE
    RETURN to_json(value);

CREATE FUNCTION json_scalars(VARIADIC elements text[]) RETURNS json
    LANGUAGE sql IMMUTABLE
    RETURN to_json(elements);

ALTER TABLE meters ADD COLUMN firmware text;
ALTER TABLE meters ADD CONSTRAINT meters_serial_check CHECK (serial_no <> '');

-- +goose Down
ALTER TABLE meters DROP COLUMN firmware;
DROP FUNCTION json_scalars(text[]);
