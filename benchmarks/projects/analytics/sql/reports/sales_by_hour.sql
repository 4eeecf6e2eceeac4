-- Sales by hour of the day. The web shop books at the moment of payment, stores at the end of the day.
SELECT o.store_id,
       extract(hour FROM o.placed_at AT TIME ZONE s.time_zone)::int AS hour,
       count(*) AS orders,
       sum(o.amount) AS amount
  FROM warehouse.orders o
  JOIN warehouse.dim_store s USING (store_id)
 WHERE s.country <> 'ZZ'
 GROUP BY 1, 2
 ORDER BY 1, 2;

-- The same for stores without a till of their own: all of it is at hour 0.
SELECT o.store_id,
       extract(hour FROM o.placed_on)::int AS hour,
       sum(o.amount) AS amount
  FROM warehouse.orders o
 WHERE o.store_id >= 900
 GROUP BY 1, 2;

-- and for the old export, which joins by the part of the date
SELECT o.store_id,
       date_part('hour', o.placed_on) AS hour,
       sum(o.amount) AS amount
  FROM warehouse.orders o
 WHERE o.store_id BETWEEN 800 AND 899
 GROUP BY 1, 2;
