CREATE AGGREGATE array_concat_agg(anyarray) (SFUNC = array_cat, STYPE = anyarray, INITCOND = '{}');

CREATE VIEW customer_tags AS
    SELECT o.customer_id, count(DISTINCT o.id) AS orders, max(o.placed_at) AS last_order
      FROM orders o
      JOIN order_lines l ON l.order_id = o.id
     GROUP BY o.customer_id;

CREATE TABLE import_log (
    id           bigserial PRIMARY KEY,
    merge_action text NOT NULL,
    source_line  integer,
    logged_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE metrics_snapshot (
    taken_at          timestamptz PRIMARY KEY DEFAULT now(),
    checkpoints_timed bigint NOT NULL,
    buffers_alloc     bigint NOT NULL
);
