CREATE TABLE parts (
    id           serial PRIMARY KEY,
    sku          text NOT NULL UNIQUE,
    description  text NOT NULL,
    list_price   text NOT NULL,
    weight_g     text NOT NULL,
    on_hand      integer NOT NULL DEFAULT 0
);

CREATE TABLE work_orders (
    id            serial PRIMARY KEY,
    wagon_id      integer NOT NULL REFERENCES wagons (id),
    opened_at     timestamptz NOT NULL,
    closed_at     timestamptz,
    priority      smallint NOT NULL DEFAULT 3,
    state         text NOT NULL DEFAULT 'open',
    notes         text NOT NULL DEFAULT ''
);

CREATE TABLE work_order_parts (
    work_order_id  integer NOT NULL REFERENCES work_orders (id),
    part_id        integer NOT NULL REFERENCES parts (id),
    quantity       integer NOT NULL,
    PRIMARY KEY (work_order_id, part_id)
);

CREATE FUNCTION work_order_closed() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.state = 'closed' AND OLD.state <> 'closed' THEN
        NEW.closed_at := coalesce(NEW.closed_at, now());
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER work_order_closed BEFORE INSERT OR UPDATE ON work_orders
    FOR EACH ROW EXECUTE PROCEDURE work_order_closed();
