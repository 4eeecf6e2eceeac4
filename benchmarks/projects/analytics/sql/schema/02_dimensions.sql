CREATE TABLE warehouse.dim_product (
    product_id  bigint PRIMARY KEY,
    sku         text NOT NULL UNIQUE,
    title       text NOT NULL,
    bundle_size integer NOT NULL DEFAULT 1 CHECK (bundle_size BETWEEN 1 AND 12),
    list_price  numeric(12,2) NOT NULL,
    search      tsvector
);

CREATE TABLE warehouse.dim_campaign (
    campaign_id bigint PRIMARY KEY,
    name        text NOT NULL,
    tags        hstore NOT NULL DEFAULT '',
    starts_on   date NOT NULL,
    ends_on     date
);

CREATE TABLE warehouse.dim_store (
    store_id    integer PRIMARY KEY,
    country     char(2) NOT NULL,
    time_zone   text NOT NULL,
    opened_on   date NOT NULL
);

COMMENT ON COLUMN warehouse.dim_store.time_zone IS 'IANA name; never an abbreviation such as IST';

-- targets of the budget ("Soll") and what was booked ("Ist")
CREATE TABLE warehouse.budget (
    store_id integer NOT NULL REFERENCES warehouse.dim_store,
    month    date NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('SOLL', 'IST')),
    amount   numeric(14,2) NOT NULL,
    PRIMARY KEY (store_id, month, kind)
);
