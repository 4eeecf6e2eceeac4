CREATE TABLE prices (
    id          serial PRIMARY KEY,
    lot_no      integer NOT NULL,
    vintage     smallint NOT NULL,
    format_ml   integer NOT NULL DEFAULT 750,
    cents       integer NOT NULL,
    valid       daterange NOT NULL DEFAULT daterange(current_date, NULL),
    CONSTRAINT prices_lot FOREIGN KEY (lot_no, vintage) REFERENCES lots
);

CREATE FUNCTION bottle_price(lot integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT max(cents) FROM prices WHERE lot_no = lot AND format_ml = 750
$$;

CREATE FUNCTION bottle_price(lot integer, format integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT max(cents) FROM prices WHERE lot_no = lot AND format_ml = format
$$;

CREATE FUNCTION case_price(lot integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT 6 * bottle_price(lot)
$$;

CREATE FUNCTION pallet_price(lot integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT 600 * bottle_price(lot)
$$;

CREATE FUNCTION pallet_price(lot integer, discount numeric) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT (600 * bottle_price(lot) * (1 - discount))::integer
$$;

-- in how many orders can n wines be poured?
CREATE FUNCTION numeric_fac(n integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    product numeric := 1;
BEGIN
    FOR i IN 2 .. n LOOP
        product := product * i;
    END LOOP;
    RETURN product;
END
$$;
