\set customer random(1, 3)
SELECT id, name FROM customers WHERE id = :customer;
SELECT count(*) FROM truck_deliveries WHERE customer_id = :customer;
