-- sorted without duplicates, as the printed timetable has it
CREATE FUNCTION public.array_sort(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(DISTINCT x ORDER BY x) FROM unnest($1) AS x
$$;

CREATE FUNCTION platform.array_reverse(anyarray) RETURNS anyarray
    LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(x ORDER BY n DESC) FROM unnest($1) WITH ORDINALITY AS t(x, n)
$$;

CREATE FUNCTION platform.json_value(doc jsonb, key text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT doc ->> key $$;

CREATE FUNCTION public.date_add(date, integer) RETURNS date
    LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + $2 $$;

CREATE FUNCTION platform.purge_taps(older interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    removed bigint;
BEGIN
    DELETE FROM platform.tap_event WHERE tapped_at < timestamptz '2025-01-01 00:00+00' - older;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END $$;

CREATE FUNCTION platform.fares_of(line integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    taps CURSOR FOR
        SELECT t.fare_cents FROM platform.tap_event t JOIN platform.validator v USING (validator_id)
         WHERE v.lines @> ARRAY[line];
    cents integer;
    total bigint := 0;
BEGIN
    OPEN taps;
    LOOP
        FETCH taps INTO cents;
        EXIT WHEN NOT FOUND;
        total := total + cents;
    END LOOP;
    CLOSE taps;
    RETURN total;
END $$;

-- columns for which nobody has raised the statistics
CREATE FUNCTION platform.plain_columns(relation regclass) RETURNS SETOF name LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT a.attname
          FROM pg_attribute a
         WHERE a.attrelid = relation AND a.attnum > 0
           AND NOT a.attisdropped
           AND a.attstattarget = -1
         ORDER BY a.attnum;
END $$;

CREATE FUNCTION platform.raised_columns(relation regclass) RETURNS SETOF name LANGUAGE sql STABLE AS $$
    SELECT attname FROM pg_attribute
     WHERE attrelid = relation AND attnum > 0
       AND attstattarget > 0
     ORDER BY attnum
$$;

CREATE FUNCTION platform.checkpoint_count() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    n bigint;
BEGIN
    IF current_setting('server_version_num')::int >= 170000 THEN
        SELECT num_timed INTO n FROM pg_stat_checkpointer;
    ELSE
        SELECT checkpoints_timed INTO n FROM pg_stat_bgwriter;
    END IF;
    RETURN n;
END $$;
