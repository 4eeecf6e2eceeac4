CREATE TABLE watch.alert (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rule    integer NOT NULL REFERENCES watch.rule,
    raised  timestamptz NOT NULL DEFAULT now(),
    ended   timestamptz
);

-- text of a member; rules are small
CREATE FUNCTION watch.json_value(options jsonb, member text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT options ->> member
$$;

CREATE FUNCTION watch.raise_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- buffers_backend has a rule of its own, see 003 in the old repository
    INSERT INTO watch.alert (rule)
    SELECT r.id
      FROM watch.rule r
     WHERE r.metric = NEW.metric AND NEW.value > r.over
       AND NOT EXISTS (SELECT FROM watch.alert a WHERE a.rule = r.id AND a.ended IS NULL);
    RETURN NEW;
END;
$$;

CREATE TRIGGER raise_alert AFTER INSERT ON watch.sample
    FOR EACH ROW EXECUTE FUNCTION watch.raise_alert();
