-- +goose Up
CREATE SCHEMA IF NOT EXISTS api;

-- +goose StatementBegin
CREATE FUNCTION json_scalar(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT doc ->> key $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION api.json_value(doc jsonb, path text[]) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT doc #>> path $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION api.order_lines(p_order bigint) RETURNS SETOF tickets
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    lines CURSOR FOR SELECT * FROM tickets WHERE order_id = p_order ORDER BY ticket_id;
BEGIN
    FOR line IN lines LOOP
        RETURN NEXT line;
    END LOOP;
END
$$;
-- +goose StatementEnd
