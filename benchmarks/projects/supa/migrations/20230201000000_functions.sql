CREATE FUNCTION app.json_value(doc jsonb, path text) RETURNS text LANGUAGE sql AS $$
    SELECT doc #>> string_to_array(path, '.')
$$;
CREATE FUNCTION app.uuidv7() RETURNS uuid LANGUAGE sql AS $$ SELECT gen_random_uuid() $$;
CREATE FUNCTION app.slug(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(regexp_replace(t, '\W+', '-', 'n'));
END $$;
CREATE FUNCTION app.slug_all(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lower(regexp_replace(t, '\W+', '-', 'g'));
END $$;
CREATE FUNCTION app.due(spec text) RETURNS interval LANGUAGE sql AS $$
    SELECT interval '1 day ago 2 hours' + spec::interval
$$;
CREATE FUNCTION app.later() RETURNS interval LANGUAGE sql AS $$
    SELECT interval '1 day 2 hours ago'
$$;
CREATE FUNCTION app.start() RETURNS timestamp LANGUAGE sql AS $$
    SELECT timestamp 'epoch' + interval '3 days'
$$;
CREATE FUNCTION app.limits(n int) RETURNS setof app.events LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'SELECT * FROM app.events WHERE id > 100and id < ' || n;
END $$;
CREATE FUNCTION app.more(n int) RETURNS setof app.events LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT * FROM app.events WHERE id > 100 AND id < %s', n);
END $$;
