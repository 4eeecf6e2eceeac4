-- Price lists replace the functions of V003.
CREATE TABLE price_lists (
    id          serial PRIMARY KEY,
    price_id    integer REFERENCES prices,
    title       text NOT NULL
);

DROP FUNCTION IF EXISTS case_price;
DROP FUNCTION IF EXISTS pallet_price(integer), pallet_price(integer, numeric);
DROP FUNCTION IF EXISTS bottle_price;

CREATE FUNCTION list_price(lot integer, list integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT max(p.cents)
      FROM prices p
      JOIN price_lists l ON l.price_id = p.id
     WHERE p.lot_no = lot AND l.id = list
$$;
