CREATE SCHEMA yard;

CREATE TABLE maintenance_runs (
    id           serial PRIMARY KEY,
    job          text NOT NULL,
    started_at   timestamptz NOT NULL,
    total_time   integer NOT NULL,
    calls        integer NOT NULL DEFAULT 1
);

CREATE TABLE rule_texts (
    rule_name   text PRIMARY KEY,
    consrc      text NOT NULL,
    adsrc       text
);

CREATE FUNCTION yard.gcd(a integer, b integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT AS $$
    WITH RECURSIVE euclid(x, y) AS (
        SELECT abs(a), abs(b)
        UNION ALL
        SELECT y, x % y FROM euclid WHERE y > 0
    )
    SELECT x FROM euclid WHERE y = 0
$$;

-- spaces and dashes of UIC numbers as people type them
CREATE FUNCTION yard.normalize(uic text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(uic, '[^0-9]', '', 'g')
$$;

CREATE FUNCTION constraint_report(for_table regclass)
    RETURNS TABLE (constraint_name text, rule text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT c.conname::text,
           c.consrc
      FROM pg_constraint c
     WHERE c.conrelid = for_table
       AND c.contype = 'c'
     ORDER BY 1;
END
$$;

CREATE FUNCTION rule_report() RETURNS TABLE (rule_name text, rule text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT r.rule_name,
           r.consrc
      FROM rule_texts r
     ORDER BY 1;
END
$$;

CREATE FUNCTION check_definitions(for_table regclass) RETURNS SETOF text
    LANGUAGE sql STABLE AS $$
    SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = for_table AND contype = 'c' ORDER BY conname
$$;
