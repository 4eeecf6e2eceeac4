-- schemas, extensions, small helpers
CREATE SCHEMA warehouse;
CREATE SCHEMA util;
CREATE SCHEMA quality;

CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;

-- our own, for timestamps before 2000: start of the bucket that holds a moment
CREATE FUNCTION util.date_bin(width interval, moment timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT AS $$
    SELECT to_timestamp(floor(date_part('epoch', moment) / date_part('epoch', width)) * date_part('epoch', width))
$$;

CREATE FUNCTION util.first_state(state anyelement, value anyelement) RETURNS anyelement
LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1 $$;

CREATE AGGREGATE util.first(anyelement) (
    SFUNC = util.first_state,
    STYPE = anyelement
);

-- the BI tool shows arrays as lists; it keeps NULLs, unlike its own list()
CREATE AGGREGATE util.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

-- ids of a session's orders, in the order of arrival
CREATE AGGREGATE util.collect_ids(bigint) (
    SFUNC = array_append,
    STYPE = bigint[],
    INITCOND = '{}'
);
