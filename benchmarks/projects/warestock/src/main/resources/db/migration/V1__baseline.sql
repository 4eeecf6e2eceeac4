-- Baseline taken from the Aarhus installation, 2019-02.

CREATE TABLE site (
    id          serial PRIMARY KEY,
    code        varchar(8) NOT NULL UNIQUE,
    name        varchar(80) NOT NULL,
    opened_on   date
) WITH (OIDS = FALSE);

CREATE TABLE zone (
    id          serial PRIMARY KEY,
    site_id     integer NOT NULL REFERENCES site (id),
    label       varchar(20) NOT NULL,
    outline     polygon NOT NULL,
    footprint   box,
    UNIQUE (site_id, label)
);

CREATE TABLE bin (
    id          serial PRIMARY KEY,
    zone_id     integer NOT NULL REFERENCES zone (id),
    code        varchar(24) NOT NULL UNIQUE,
    spot        point NOT NULL,
    slots       integer NOT NULL DEFAULT 1 CHECK (slots > 0),
    blocked     boolean NOT NULL DEFAULT false
);

CREATE TABLE article (
    id          serial PRIMARY KEY,
    sku         varchar(40) NOT NULL UNIQUE,
    sku_key     varchar(40) NOT NULL,
    title       text NOT NULL,
    attrs       jsonb NOT NULL DEFAULT '{}',
    weight_g    numeric(12, 3)
);

CREATE TABLE stock_level (
    bin_id      integer NOT NULL REFERENCES bin (id),
    article_id  integer NOT NULL REFERENCES article (id),
    quantity    integer NOT NULL CHECK (quantity >= 0),
    counted_at  timestamptz,
    PRIMARY KEY (bin_id, article_id)
);

CREATE TABLE movement (
    id          bigserial PRIMARY KEY,
    article_id  integer NOT NULL REFERENCES article (id),
    from_bin    integer REFERENCES bin (id),
    to_bin      integer REFERENCES bin (id),
    quantity    integer NOT NULL,
    booked_on   date NOT NULL DEFAULT current_date,
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX ix_movement_article ON movement (article_id, booked_on);
