CREATE TABLE warehouse.orders (
    order_id    bigint NOT NULL,
    store_id    integer NOT NULL,
    campaign_id bigint,
    placed_at   timestamptz NOT NULL,
    placed_on   date NOT NULL,
    amount      numeric(14,2) NOT NULL
) PARTITION BY RANGE (placed_on);

CREATE TABLE warehouse.orders_2022 PARTITION OF warehouse.orders
    FOR VALUES FROM ('2022-01-01') TO ('2023-01-01');
CREATE TABLE warehouse.orders_2023 PARTITION OF warehouse.orders
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');

CREATE TABLE warehouse.order_items (
    order_id   bigint NOT NULL,
    line_no    integer NOT NULL,
    product_id bigint NOT NULL,
    quantity   integer NOT NULL,
    PRIMARY KEY (order_id, line_no)
);

-- hits of the tracker are older than declarative partitioning
CREATE TABLE warehouse.web_hits (
    hit_at    timestamptz NOT NULL,
    visitor   uuid NOT NULL,
    path      text NOT NULL,
    referrer  text,
    payload   jsonb
);
CREATE TABLE warehouse.web_hits_2022 (CHECK (hit_at >= '2022-01-01 00:00+00' AND hit_at < '2023-01-01 00:00+00'))
    INHERITS (warehouse.web_hits);
CREATE TABLE warehouse.web_hits_2023 (CHECK (hit_at >= '2023-01-01 00:00+00' AND hit_at < '2024-01-01 00:00+00'))
    INHERITS (warehouse.web_hits);

CREATE INDEX web_hits_2022_hit_at ON warehouse.web_hits_2022 USING brin (hit_at);
CREATE INDEX web_hits_2023_hit_at ON warehouse.web_hits_2023 USING brin (hit_at);
