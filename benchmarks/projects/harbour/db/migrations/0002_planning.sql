-- 0002: functions for the planning board

-- berths that a vessel may use, one array per vessel
CREATE AGGREGATE port.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION port.append_distinct(list anyarray, item anyelement) RETURNS anyarray
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN item = ANY (list) THEN list ELSE list || item END
$$;

CREATE AGGREGATE port.collect_distinct(anyelement) (
    SFUNC = port.append_distinct,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION port.skip_small_berths(how_many integer) RETURNS port.berths
LANGUAGE plpgsql AS $$
DECLARE
    by_length CURSOR FOR SELECT * FROM port.berths ORDER BY length_m, id;
    found_one port.berths;
BEGIN
    OPEN by_length;
    EXECUTE format('MOVE FORWARD %s IN by_length', how_many);
    FETCH by_length INTO found_one;
    CLOSE by_length;
    RETURN found_one;
END
$$;

CREATE FUNCTION port.skip_departures(how_many integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    leaving CURSOR FOR SELECT id FROM port.calls WHERE etd IS NOT NULL ORDER BY etd, id;
    call_id bigint;
BEGIN
    leaving := 'leaving';
    OPEN leaving;
    EXECUTE format('MOVE FORWARD %s IN leaving', how_many);
    FETCH leaving INTO call_id;
    CLOSE leaving;
    RETURN call_id;
END
$$;

CREATE FUNCTION port.longest_free_berth() RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    free CURSOR FOR SELECT code FROM port.berths WHERE NOT closed ORDER BY length_m DESC, id;
    code text;
BEGIN
    OPEN free;
    FETCH FROM free INTO code;
    CLOSE free;
    RETURN code;
END
$$;

-- How many call numbers are left of those that the ministry allotted.
CREATE FUNCTION port.call_numbers_left(allotted bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    state port.call_no_seq%ROWTYPE;
BEGIN
    SELECT * INTO state FROM port.call_no_seq;
    RETURN allotted - state.last_value;
END
$$;

CREATE FUNCTION port.last_call_number() RETURNS bigint
LANGUAGE sql AS $$
    SELECT last_value FROM port.call_no_seq
$$;

-- {"length": 182, "draught": 9.5} for the display panels on the quay
CREATE FUNCTION port.json_object(vessel integer) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('length', length_m, 'draught', draught) FROM port.vessels WHERE imo = vessel
$$;
