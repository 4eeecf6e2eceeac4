-- exported from the Oracle model, 2016
CREATE TABLE harbour (
    harbour_id  integer PRIMARY KEY,
    name        varchar(80) NOT NULL,
    country     char(2) NOT NULL DEFAULT 'DE',
    outline     polygon
) WITH (OIDS=FALSE);

CREATE TABLE pontoon (
    pontoon_id  serial PRIMARY KEY,
    harbour_id  integer NOT NULL REFERENCES harbour,
    code        varchar(4) NOT NULL,
    zone        polygon NOT NULL,
    UNIQUE (harbour_id, code)
) WITHOUT OIDS;

CREATE TABLE berth (
    berth_id    serial PRIMARY KEY,
    pontoon_id  integer NOT NULL REFERENCES pontoon,
    number      integer NOT NULL,
    max_length  numeric(5,2) NOT NULL,
    max_draught numeric(4,2) NOT NULL,
    berth_class smallint NOT NULL DEFAULT 1,
    amenities   text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE customer (
    customer_id serial PRIMARY KEY,
    full_name   text NOT NULL,
    email       text,
    adsrc       text,
    created_at  timestamp NOT NULL DEFAULT now()
);
COMMENT ON COLUMN customer.adsrc IS 'advertisement that brought the customer';

CREATE TABLE boat (
    boat_id     serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customer,
    name        text NOT NULL,
    sail_no     text,
    length_m    numeric(5,2),
    draught_m   numeric(4,2),
    lat         double precision,
    lon         double precision,
    position    point
);
