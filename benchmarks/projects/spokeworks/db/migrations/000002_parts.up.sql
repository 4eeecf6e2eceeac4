CREATE TABLE part (
    part_id        bigserial PRIMARY KEY,
    sku            text NOT NULL UNIQUE,
    title          text NOT NULL,
    compat_sizes   text[] NOT NULL DEFAULT '{}',
    list_price     numeric(10,2) NOT NULL
);

CREATE TABLE stock_item (
    workshop_id    integer NOT NULL REFERENCES workshop,
    part_id        bigint NOT NULL REFERENCES part,
    on_hand        integer NOT NULL DEFAULT 0,
    counted        integer,
    -- consignment source: the supplier who still owns the goods
    consrc         text,
    PRIMARY KEY (workshop_id, part_id)
);

CREATE TABLE work_order_part (
    work_order_id  bigint NOT NULL REFERENCES work_order ON DELETE CASCADE,
    line_no        integer NOT NULL,
    part_id        bigint NOT NULL REFERENCES part,
    quantity       integer NOT NULL CHECK (quantity > 0),
    unit_price     numeric(10,2) NOT NULL,
    PRIMARY KEY (work_order_id, line_no)
);

CREATE TABLE label_format (
    label_format_id serial PRIMARY KEY,
    printer        text NOT NULL,
    width_mm       integer NOT NULL,
    -- print the SKU in capitals without blanks
    normalize      boolean NOT NULL DEFAULT true
);
