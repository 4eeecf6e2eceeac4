-- name: top_products
SELECT p.sku, p.title, sum(i.quantity) AS sold
  FROM warehouse.order_items i
  JOIN warehouse.dim_product p USING (product_id)
  JOIN warehouse.orders o USING (order_id)
 WHERE o.placed_on BETWEEN :from_day AND :to_day
 GROUP BY p.product_id, p.sku, p.title
 ORDER BY sold DESC, p.sku
 LIMIT 50 OFFSET 0;

-- name: slow_movers
SELECT p.sku, max(o.placed_on) AS last_sold
  FROM warehouse.dim_product p
  LEFT JOIN warehouse.order_items i USING (product_id)
  LEFT JOIN warehouse.orders o USING (order_id)
 WHERE p.sku NOT LIKE '50OFF%'
 GROUP BY p.sku
HAVING max(o.placed_on) IS NULL OR max(o.placed_on) < current_date - 180;
