DELETE FROM mart.orders_by_zone WHERE ds = '{{ ds }}';

INSERT INTO mart.orders_by_zone (ds, zone_id, orders, revenue)
SELECT o.order_date,
       z.zone_id,
       count(*),
       sum(o.total)
  FROM staging.orders o
  JOIN mart.zones z
    ON o.pickup_point @ z.area
 WHERE o.order_date = %(ds)s
   AND o.state <> 'cancelled'
 GROUP BY o.order_date, z.zone_id;
