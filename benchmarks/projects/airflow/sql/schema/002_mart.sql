CREATE TABLE mart.zones (
    zone_id integer PRIMARY KEY,
    name    text NOT NULL,
    area    polygon NOT NULL
);

CREATE TABLE mart.orders_by_zone (
    ds      date NOT NULL,
    zone_id integer NOT NULL REFERENCES mart.zones,
    orders  bigint NOT NULL,
    revenue numeric(14, 2) NOT NULL,
    PRIMARY KEY (ds, zone_id)
);

CREATE TABLE mart.orders_by_hour (
    ds     date NOT NULL,
    hour   integer NOT NULL,
    orders bigint NOT NULL,
    PRIMARY KEY (ds, hour)
);

CREATE TABLE mart.customer_tags (
    customer_id bigint PRIMARY KEY,
    tag_ids     integer[] NOT NULL,
    skus        text[] NOT NULL
);

CREATE AGGREGATE mart.array_accum(anyelement) (
    sfunc = array_append,
    stype = anyarray,
    initcond = '{}'
);

CREATE AGGREGATE mart.tag_union(integer[]) (
    sfunc = array_cat,
    stype = integer[],
    initcond = '{}'
);
