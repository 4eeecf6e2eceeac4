CREATE TABLE watch.checkpoint_hour (
    instance          text NOT NULL,
    hour              timestamptz NOT NULL,
    checkpoints_timed bigint NOT NULL DEFAULT 0,
    requested         bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (instance, hour)
);

-- collects any values, in the order of arrival
CREATE AGGREGATE watch.array_accum(anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

CREATE FUNCTION watch.keep_last(points double precision[], point double precision)
RETURNS double precision[] LANGUAGE sql IMMUTABLE AS $$
    SELECT (array_append(points, point))[greatest(cardinality(points) - 58, 1):];
$$;

-- the last 60 points, for sparklines
CREATE AGGREGATE watch.spark(double precision) (
    sfunc = watch.keep_last,
    stype = double precision[],
    initcond = '{}'
);

CREATE FUNCTION watch.fold_hour(since timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    folded integer;
BEGIN
    INSERT INTO watch.checkpoint_hour (instance, hour, checkpoints_timed)
    SELECT labels ->> 'of', date_trunc('hour', taken), max(value)::bigint
      FROM watch.sample
     WHERE metric = 'checkpoints' AND taken >= since
     GROUP BY 1, 2
    ON CONFLICT (instance, hour) DO UPDATE SET checkpoints_timed = excluded.checkpoints_timed;
    GET DIAGNOSTICS folded = ROW_COUNT;
    RETURN folded;
END;
$$;
