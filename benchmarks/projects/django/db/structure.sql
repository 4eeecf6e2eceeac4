CREATE TABLE shop_order (
    id bigserial PRIMARY KEY,
    customer_id bigint NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now(),
    due date,
    total numeric(12,2),
    note text,
    tags integer[],
    place point,
    area circle,
    lasts interval,
    "lc_collate" text
);
CREATE TABLE shop_session (key text, backend xid, "system_user" text);
CREATE VIEW shop_order_age AS
    SELECT id,
           EXTRACT(epoch FROM placed_at) AS placed
      FROM shop_order;
CREATE VIEW shop_order_year AS
    SELECT id, date_part('year', placed_at) AS placed FROM shop_order;
CREATE FUNCTION factorial_of(integer) RETURNS numeric LANGUAGE sql AS 'SELECT abs($1)::numeric';
