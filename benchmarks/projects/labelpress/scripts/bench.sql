\set quantity random(1, 6) * 1000
BEGIN;
SELECT status FROM label_orders WHERE id = 2;
UPDATE order_lines SET quantity = :quantity WHERE id = :line;
ROLLBACK;
