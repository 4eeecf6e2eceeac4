CREATE TABLE customer (
    id bigint PRIMARY KEY,
    name varchar(100) NOT NULL,
    address inet,
    since date,
    tier "char" NOT NULL DEFAULT 's',
    rating numeric(4, 2),
    tags text[] NOT NULL DEFAULT '{}'
);
CREATE TABLE purchase (
    id bigint PRIMARY KEY,
    customer_id bigint REFERENCES customer,
    placed timestamptz NOT NULL DEFAULT now(),
    lines jsonb
);
CREATE FUNCTION merge_tags(a anyarray, b anyarray) RETURNS anyarray LANGUAGE sql IMMUTABLE AS 'SELECT a || b';
CREATE AGGREGATE all_tags(anyarray) (SFUNC = array_cat, STYPE = anyarray, INITCOND = '{}');
CREATE AGGREGATE all_tag_texts(text[]) (SFUNC = merge_tags, STYPE = text[], INITCOND = '{}');
CREATE FUNCTION bought_at(p purchase) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN p.placed::date;
END $$;
CREATE FUNCTION month_of(p purchase) RETURNS numeric LANGUAGE plpgsql STABLE AS $$
DECLARE
    m double precision;
BEGIN
    m := extract(month FROM p.placed);
    RETURN m;
END $$;
CREATE FUNCTION weekday_label(d date) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF extract(hour FROM d) > 0 THEN
        RAISE NOTICE 'hour of a date';
    END IF;
    RETURN to_char(d, 'Day');
END $$;
