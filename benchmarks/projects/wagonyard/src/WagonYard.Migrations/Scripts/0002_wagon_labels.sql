CREATE FUNCTION wagon_label(wagon integer) RETURNS text
    LANGUAGE sql STABLE STRICT AS $$
    SELECT uic_number || ' (' || kind || ')' FROM wagons WHERE id = wagon
$$;

CREATE FUNCTION wagon_label(uic text) RETURNS text
    LANGUAGE sql STABLE STRICT AS $$
    SELECT uic_number || ' (' || kind || ')' FROM wagons WHERE uic_number = uic
$$;

CREATE FUNCTION depot_label(depot integer) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT code || ' ' || name FROM depots WHERE id = depot
$$;

CREATE FUNCTION depot_label(depot_code text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT code || ' ' || name FROM depots WHERE code = depot_code
$$;

CREATE FUNCTION bogie_spacing(kind text) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE kind WHEN 'Eaos' THEN 9000 WHEN 'Sgns' THEN 14200 ELSE NULL END
$$;
