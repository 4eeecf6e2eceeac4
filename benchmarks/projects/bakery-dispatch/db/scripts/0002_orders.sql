CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers (id),
    deliver_on date NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now(),
    status varchar(12) NOT NULL DEFAULT 'open',
    remark text,
    CONSTRAINT orders_status CHECK (status IN ('open', 'baked', 'shipped', 'cancelled'))
);

CREATE TABLE order_lines (
    order_id bigint NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line integer NOT NULL,
    product_id bigint NOT NULL REFERENCES products (id),
    pieces integer NOT NULL CHECK (pieces > 0),
    price_cents integer NOT NULL,
    PRIMARY KEY (order_id, line)
);

CREATE TABLE tours (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name varchar(60) NOT NULL,
    van varchar(12) NOT NULL,
    leaves_at time NOT NULL
);

CREATE TABLE delivery_windows (
    customer_id bigint NOT NULL REFERENCES customers (id),
    weekday smallint NOT NULL,
    opens time NOT NULL,
    closes time NOT NULL,
    tour_id bigint REFERENCES tours (id)
);

-- temperatures of the ovens, one row a minute
CREATE TABLE oven_readings (
    oven smallint NOT NULL,
    read_at timestamptz NOT NULL,
    celsius numeric(5, 1) NOT NULL
) PARTITION BY RANGE (read_at);
CREATE TABLE oven_readings_2023 PARTITION OF oven_readings
    FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE UNLOGGED TABLE oven_readings_rest PARTITION OF oven_readings DEFAULT;

CREATE TABLE baskets (
    token uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    customer_id bigint NOT NULL REFERENCES customers (id),
    content jsonb NOT NULL DEFAULT '[]',
    ignore boolean NOT NULL DEFAULT false,
    touched_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX orders_deliver_on ON orders (deliver_on, status);
