CREATE TABLE hosts (
    id bigserial PRIMARY KEY,
    addr inet NOT NULL,
    net cidr,
    seen interval,
    born timestamptz,
    kind text,
    total numeric(10, 2)
);
CREATE INDEX hosts_words ON hosts USING gin (to_tsvector('simple', kind));
CREATE FUNCTION hosts_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.born := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER hosts_touch BEFORE UPDATE ON hosts FOR EACH ROW EXECUTE FUNCTION hosts_touch();
CREATE FUNCTION span(t text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT t::interval $$;
CREATE FUNCTION stddev_of(x numeric[]) RETURNS numeric LANGUAGE sql AS $$
    SELECT stddev_samp(v) FROM unnest(x) v
$$;
CREATE FUNCTION sample(lo int, hi int) RETURNS int LANGUAGE sql AS $$ SELECT lo + floor(random() * (hi - lo))::int $$;
CREATE OPERATOR !== (LEFTARG = numeric, RIGHTARG = numeric, PROCEDURE = numeric_ne);
CREATE FUNCTION fact(n numeric) RETURNS numeric LANGUAGE sql AS $$ SELECT factorial(n::bigint) $$;
CREATE OPERATOR !! (LEFTARG = numeric, PROCEDURE = fact);
