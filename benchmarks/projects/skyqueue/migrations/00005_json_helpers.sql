-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION json_exists(doc jsonb, field text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT doc ? field AND doc -> field <> 'null'
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION public.json_scalar(doc jsonb, field text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT doc ->> field
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION jsonb_merge(a jsonb, b jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(a, '{}') || coalesce(b, '{}')
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION jsonb_merge(jsonb, jsonb);
DROP FUNCTION public.json_scalar(jsonb, text);
DROP FUNCTION json_exists(jsonb, text);
