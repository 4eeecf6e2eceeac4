CREATE TABLE delivery_slots (
    id         serial PRIMARY KEY,
    carrier    text NOT NULL,
    opens      time NOT NULL,
    lead_time  interval NOT NULL,
    active     boolean NOT NULL DEFAULT true
);

CREATE UNIQUE INDEX delivery_slots_key
    ON delivery_slots ((carrier || '/' || lead_time::text))
    WHERE active;

CREATE TABLE stock_movements (
    id         bigserial PRIMARY KEY,
    product_id bigint NOT NULL REFERENCES products (id),
    delta      integer NOT NULL,
    moved_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX stock_movements_product ON stock_movements (product_id, moved_at);
