-- all themes of several routes in one array
CREATE AGGREGATE geo.array_merge(anyarray) (
    SFUNC = array_cat,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE AGGREGATE geo.text_list(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE FUNCTION geo.stay_mean(state interval[]) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state[2] > interval '0' THEN state[1] / (date_part('epoch', state[2]) * 1000000) END
$$;

-- mean stay at a place; moving windows need the plain state
CREATE AGGREGATE geo.mean_stay(interval) (
    SFUNC = interval_accum,
    STYPE = interval[],
    FINALFUNC = geo.stay_mean,
    INITCOND = '{0 second,0 second}'
);

CREATE FUNCTION geo.interval_sum(state interval, value interval) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT state + coalesce(value, interval '0')
$$;

CREATE AGGREGATE geo.total_stay(interval) (
    SFUNC = geo.interval_sum,
    STYPE = interval,
    INITCOND = '0 second'
);
