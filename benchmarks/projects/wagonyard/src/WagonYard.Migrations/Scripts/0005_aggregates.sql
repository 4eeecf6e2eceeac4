-- string list for the printed yard sheet
CREATE FUNCTION join_lines(state text, line text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state = '' THEN line ELSE state || E'\n' || line END
$$;

CREATE AGGREGATE lines_agg (text) (
    sfunc = join_lines,
    stype = text,
    initcond = ''
);

CREATE AGGREGATE collect_values (anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION append_track(route integer[], track integer) RETURNS integer[]
    LANGUAGE sql IMMUTABLE AS $$
    SELECT array_append(route, track)
$$;

CREATE AGGREGATE route_agg (integer) (
    sfunc = append_track,
    stype = integer[],
    initcond = '{}'
);
