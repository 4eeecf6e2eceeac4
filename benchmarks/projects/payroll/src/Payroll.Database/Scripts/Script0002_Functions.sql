CREATE FUNCTION net_pay(gross numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT round(gross * 0.71, 2)
$$;

CREATE FUNCTION net_pay(gross numeric, allowance numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT round((gross - allowance) * 0.71 + allowance, 2)
$$;

CREATE FUNCTION on_probation(hired date) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN hired > current_date - interval '6.5 months';
END
$$;

CREATE AGGREGATE collect(anyelement) (
    SFUNC = array_append,
    STYPE = anyarray,
    INITCOND = '{}'
);

CREATE FUNCTION fill_net() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.net := coalesce(NEW.net, net_pay(NEW.gross));
    RETURN NEW;
END
$$;

CREATE TRIGGER fill_net BEFORE INSERT ON pay_slips FOR EACH ROW EXECUTE PROCEDURE fill_net();
