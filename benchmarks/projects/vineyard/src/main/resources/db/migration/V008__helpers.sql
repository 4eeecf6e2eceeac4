-- Labels are printed from the database: numbers bare, texts in guillemets.
CREATE FUNCTION label_value(val anyelement) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF val IS OF (integer, smallint, numeric) THEN
        RETURN val::text;
    END IF;
    RETURN '«' || val::text || '»';
END
$$;

-- A wine of which nothing is left is of (almost) no interest to the shop.
CREATE FUNCTION type_name(val anyelement) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN pg_typeof(val) IN ('integer'::regtype, 'numeric'::regtype) THEN 'number' ELSE 'text' END
$$;

CREATE FUNCTION check_lot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.label !~ '^[A-Za-z][\w .-]+$' THEN
        RAISE EXCEPTION 'label % is no label', NEW.label USING HINT = 'WITH OIDS was fine in 2009, digits first are not';
    END IF;
    IF NEW.picked_on < date '1950-01-01' THEN
        NEW.picked_on := NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER check_lot BEFORE INSERT OR UPDATE ON lots
    FOR EACH ROW EXECUTE PROCEDURE check_lot();
