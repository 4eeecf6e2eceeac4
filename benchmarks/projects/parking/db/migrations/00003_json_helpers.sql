-- +goose Up
-- Small helpers, so that the queries stay readable. Fields of the registry's answers
-- are flat, and sometimes an empty string where they mean "unknown".

-- +goose StatementBegin
CREATE FUNCTION public.json_value(doc jsonb, field text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT nullif(doc ->> field, '')
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION public.json_exists(doc jsonb, field text) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
    SELECT doc ? field
$$;
-- +goose StatementEnd

CREATE INDEX vehicles_fuel ON vehicles ((attributes ->> 'fuel'));
