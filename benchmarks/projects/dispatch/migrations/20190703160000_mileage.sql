-- Mileage claims come as text from the fleet card company ("12,408")
CREATE TABLE mileage_import (
    card_no     text NOT NULL,
    month       date NOT NULL,
    kilometres  text,
    litres      text
);

CREATE TABLE mileage (
    card_no     text NOT NULL,
    month       date NOT NULL,
    kilometres  integer,
    litres      numeric(8, 2),
    PRIMARY KEY (card_no, month)
);

CREATE FUNCTION take_mileage() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    taken bigint;
BEGIN
    INSERT INTO mileage (card_no, month, kilometres, litres)
    SELECT card_no,
           month,
           to_number(kilometres, '999,999')::integer,
           to_number(litres, '999999.99')
      FROM mileage_import
    ON CONFLICT (card_no, month) DO NOTHING;
    GET DIAGNOSTICS taken = ROW_COUNT;
    DELETE FROM mileage_import;
    RETURN taken;
END
$$;
