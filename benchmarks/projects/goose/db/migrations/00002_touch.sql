-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION touch() RETURNS opaque LANGUAGE plpgsql AS $$
BEGIN
    NEW.seen := now();
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.name := 'opaque';
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE INDEX devices_addr ON devices USING btree (addr network_ops);
CREATE INDEX devices_addr_inet ON devices USING btree (addr inet_ops);

-- +goose Down
DROP INDEX devices_addr;
DROP FUNCTION touch();
