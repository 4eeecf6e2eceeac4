-- What arrives at the ramp of the packing house.

CREATE TABLE packaging (
    id      serial PRIMARY KEY,
    name    varchar(40) NOT NULL,
    size_mm varchar(12),
    opaque  boolean NOT NULL DEFAULT false
);

INSERT INTO packaging (name, size_mm, opaque) VALUES
    ('Paloxe', '1200x1000', true),
    ('Foil bag 2 kg', '70x65', false);

CREATE TABLE delivery (
    id           serial PRIMARY KEY,
    parcel_id    integer NOT NULL REFERENCES parcel (id),
    packaging_id integer REFERENCES packaging (id),
    bin_no       integer NOT NULL,
    delivered_on date NOT NULL,
    arrived_at   timestamptz NOT NULL DEFAULT now(),
    gross_kg     numeric(9, 1) NOT NULL,
    tare_kg      numeric(9, 1) NOT NULL DEFAULT 0,
    grade        varchar(4),
    note         text
);

-- the scanner at the ramp finds bins by the first digits
CREATE INDEX delivery_bin_text ON delivery ((bin_no::text) text_pattern_ops);
CREATE INDEX delivery_day ON delivery (delivered_on, parcel_id);

CREATE FUNCTION check_tare() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.tare_kg >= NEW.gross_kg THEN
        RAISE EXCEPTION 'tare % is not below gross %', NEW.tare_kg, NEW.gross_kg;
    END IF;
    RETURN NEW;
END;
$$;

CREATE TRIGGER delivery_tare BEFORE INSERT OR UPDATE ON delivery
    FOR EACH ROW EXECUTE FUNCTION check_tare();

CREATE TABLE sorting_run (
    id          serial PRIMARY KEY,
    delivery_id integer NOT NULL REFERENCES delivery (id),
    line        smallint NOT NULL,
    total_time  numeric(8, 1),
    mean_time   numeric(8, 3),
    calls       integer NOT NULL DEFAULT 0
);
