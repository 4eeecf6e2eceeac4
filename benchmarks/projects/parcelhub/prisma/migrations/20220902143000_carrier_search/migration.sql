-- The carriers that every environment has
INSERT INTO "carriers" ("id", "code", "name", "contact") VALUES
    (1, 'ALP', 'Alpen Express', 'dispo@alpenexpress.test'),
    (2, 'DON', 'Donau Kurier', 'dispo@donaukurier.test'),
    (3, 'BRK', 'Brücken-Logistik', NULL),
    (4, 'KRS', 'Karst Cargo', 'office@karstcargo.test');
SELECT setval(pg_get_serial_sequence('carriers', 'id'), 4);

CREATE FUNCTION fold_umlauts(t text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT replace(replace(replace(replace(lower(t), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß', 'ss')
$$;

-- "Brücken-Logistik", "Bruecken Logistik" and "BRUECKENLOGISTIK" are the same carrier
CREATE FUNCTION carrier_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    folded text;
BEGIN
    folded := fold_umlauts(name);
    RETURN translate(folded, ' -.', '');
END
$$;

CREATE UNIQUE INDEX carriers_key_idx ON carriers (carrier_key(name));

CREATE FUNCTION city_key(city text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN translate(public.fold_umlauts(city), ' -', '');
END
$$;

CREATE INDEX addresses_city_key_idx ON addresses (city_key(city));

CREATE FUNCTION company_key(company text) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
BEGIN
    RETURN translate(fold_umlauts(coalesce(company, '')), ' -.', '');
END
$$;

CREATE INDEX customers_company_key_idx ON customers (company_key(company));

CREATE FUNCTION street_key(street text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN replace(lower(btrim(street)), 'str.', 'strasse');
END
$$;

CREATE INDEX addresses_street_key_idx ON addresses (street_key(street));

-- Only for the import, which looks up a single name
CREATE FUNCTION find_carrier(wanted text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT c.id FROM carriers c WHERE fold_umlauts(c.name) = fold_umlauts(wanted));
END
$$;
