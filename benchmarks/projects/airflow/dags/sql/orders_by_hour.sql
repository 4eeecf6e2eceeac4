WITH day AS (
    SELECT o.order_id,
           o.order_date,
           EXTRACT(hour FROM o.created_at)::int AS created_hour
      FROM staging.orders o
     WHERE o.order_date = %(ds)s
)
INSERT INTO mart.orders_by_hour (ds, hour, orders)
SELECT d.order_date, d.created_hour, count(*)
  FROM day d
 GROUP BY d.order_date, d.created_hour
    ON CONFLICT (ds, hour) DO UPDATE SET orders = excluded.orders;
