-- drivers type "be 4/6-701", "Be4/6 701" or "701": one key for all of them

CREATE FUNCTION strip_signs(code text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lower(translate(code, ' -/.', ''))
$$;

CREATE FUNCTION fleet_key(fleet_no text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT right(
        strip_signs(fleet_no),
        12)
$$;

CREATE FUNCTION type_key(code text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = public AS $$
    SELECT left(strip_signs(code), 8)
$$;

CREATE FUNCTION maker_key(maker text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT left(public.strip_signs(maker), 10)
$$;

CREATE FUNCTION depot_key(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT left(strip_signs(name), 6)
$$;

CREATE UNIQUE INDEX trams_fleet_key_idx ON trams (fleet_key(fleet_no));
CREATE INDEX tram_types_key_idx ON tram_types (type_key(code));
CREATE INDEX tram_types_maker_idx ON tram_types (maker_key(maker));
