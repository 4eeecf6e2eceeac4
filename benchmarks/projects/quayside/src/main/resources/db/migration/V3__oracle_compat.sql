-- The reports came over from Oracle with these calls.
CREATE SCHEMA compat;

CREATE FUNCTION regexp_like(subject text, pattern text) RETURNS boolean
    LANGUAGE 'sql' IMMUTABLE AS $$ SELECT $1 ~* $2 $$;

CREATE FUNCTION compat.regexp_substr(subject text, pattern text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT (regexp_matches($1, $2, 'i'))[1] $$;

CREATE FUNCTION nvl(anyelement, anyelement) RETURNS anyelement
    LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce($1, $2) $$;

CREATE FUNCTION date_bin(at timestamp, minutes integer) RETURNS timestamp
    LANGUAGE sql IMMUTABLE AS $$
    SELECT date_trunc('hour', $1)
         + floor(date_part('minute', $1) / $2) * $2 * interval '1 minute'
$$;
