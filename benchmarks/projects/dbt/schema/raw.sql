CREATE SCHEMA raw;
CREATE TABLE raw.events (
    id bigint PRIMARY KEY,
    occurred_at timestamptz NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    score integer,
    tags text[] NOT NULL DEFAULT '{}',
    payload jsonb
);
CREATE TABLE raw.accounts (id bigint PRIMARY KEY, parent_id bigint, name text, code bytea, flags "char");
CREATE AGGREGATE raw.collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);
CREATE FUNCTION raw.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.occurred_at := now();
    RETURN NEW;
END $$;
