\set customer random(1, 3)
SELECT o.id, o.total FROM orders o WHERE o.customer_id = :customer ORDER BY o.id;
