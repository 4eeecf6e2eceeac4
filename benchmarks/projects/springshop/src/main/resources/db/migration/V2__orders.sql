CREATE TABLE customers (
    id     bigserial PRIMARY KEY,
    email  text NOT NULL UNIQUE,
    name   text NOT NULL,
    joined date NOT NULL DEFAULT current_date
);

CREATE TABLE orders (
    id          bigserial PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers (id),
    status      smallint NOT NULL DEFAULT 0,
    placed_at   timestamptz NOT NULL DEFAULT now(),
    due_on      date,
    total       numeric(14, 2) NOT NULL DEFAULT 0,
    payload     jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX orders_customer ON orders (customer_id, placed_at DESC);

CREATE TABLE order_lines (
    order_id   bigint NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line_no    smallint NOT NULL,
    product_id bigint NOT NULL REFERENCES products (id),
    quantity   integer NOT NULL CHECK (quantity > 0),
    unit_price numeric(12, 2) NOT NULL,
    PRIMARY KEY (order_id, line_no)
);

CREATE FUNCTION order_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders
       SET total = (SELECT coalesce(sum(quantity * unit_price), 0)
                      FROM order_lines
                     WHERE order_id = NEW.order_id)
     WHERE id = NEW.order_id;
    RETURN NULL;
END $$;

CREATE TRIGGER order_total AFTER INSERT OR UPDATE ON order_lines
    FOR EACH ROW EXECUTE FUNCTION order_total();
