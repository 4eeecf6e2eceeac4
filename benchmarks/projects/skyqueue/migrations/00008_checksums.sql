-- +goose Up
-- the camera writes its checksums in hexadecimal
-- +goose StatementBegin
CREATE FUNCTION crc32(data bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    crc bigint := 4294967295;
BEGIN
    FOR i IN 0 .. length(data) - 1 LOOP
        crc := crc # get_byte(data, i);
        FOR b IN 1 .. 8 LOOP
            crc := CASE WHEN crc & 1 = 1 THEN (crc >> 1) # 3988292384 ELSE crc >> 1 END;
        END LOOP;
    END LOOP;
    RETURN lpad(to_hex(crc # 4294967295), 8, '0');
END;
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION crc32c(name text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT length(name) % 97 $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION crc32c(text);
DROP FUNCTION crc32(bytea);
