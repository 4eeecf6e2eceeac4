-- Cold storage: chambers, lots and how long they keep.

CREATE TABLE chamber (
    id       serial PRIMARY KEY,
    name     varchar(30) NOT NULL,
    kind     varchar(10) NOT NULL DEFAULT 'CA',
    capacity integer NOT NULL
);

CREATE TABLE storage_lot (
    id           serial PRIMARY KEY,
    chamber_id   integer NOT NULL REFERENCES chamber (id),
    delivery_id  integer NOT NULL REFERENCES delivery (id),
    stored_at    timestamptz NOT NULL DEFAULT now(),
    storage_life interval NOT NULL DEFAULT '6 months',
    class_text   varchar(60) DEFAULT 'fruit is of (at least) class II'
);

CREATE INDEX storage_lot_life ON storage_lot (storage_life);

-- the shelf plan groups lots by the printed storage life
CREATE INDEX storage_lot_life_label
    ON storage_lot (chamber_id, (storage_life::text));

CREATE AGGREGATE collect_codes (text) (
    SFUNC = array_append, STYPE = text[],
    INITCOND = '{}'
);

CREATE AGGREGATE collect_all (anyelement) (
    SFUNC = array_append, STYPE = anyarray, INITCOND = '{}'
);

CREATE TABLE label_locale (
    id         serial PRIMARY KEY,
    country    char(2) NOT NULL,
    lc_collate varchar(30) NOT NULL,
    lc_ctype   varchar(30) NOT NULL
);
