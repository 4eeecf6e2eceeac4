-- Parcels, lots and barrels: what the paper cellar book had.

CREATE TABLE parcels (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    outline     polygon NOT NULL,
    rooted_on  date,
    area_ha     numeric(6,2) NOT NULL CHECK (area_ha > 0)
);

CREATE TABLE lots (
    lot_no      integer NOT NULL,
    vintage     smallint NOT NULL,
    parcel_id   integer REFERENCES parcels,
    label       text NOT NULL,
    picked_on   date,
    ph          numeric(4,2),
    notes       text NOT NULL DEFAULT '',
    PRIMARY KEY (lot_no, vintage)
);

CREATE TABLE barrels (
    id          serial PRIMARY KEY,
    lot_no      integer,
    vintage     smallint,
    cooper      text NOT NULL,
    volume_l    integer NOT NULL DEFAULT 225,
    filled_at   timestamptz,
    emptied_at  timestamp,
    maceration  interval,
    FOREIGN KEY (lot_no, vintage) REFERENCES lots
);

CREATE TABLE probes (
    id          bigserial PRIMARY KEY,
    parcel_id   integer NOT NULL REFERENCES parcels,
    spot        point NOT NULL,
    taken_on    date NOT NULL,
    oechsle     integer
) WITHOUT OIDS;

-- one row for each file that came from the old Access database
CREATE TABLE import_batch (
    file_name   character varying(200) NOT NULL,
    imported    timestamp with time zone NOT NULL DEFAULT now(),
    row_count   integer NOT NULL
)
WITH (
    FILLFACTOR=90,
    OIDS=TRUE
);
