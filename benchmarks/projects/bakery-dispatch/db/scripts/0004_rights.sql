-- Everybody who may connect reads the master data; the shops' terminals also write baskets.
GRANT SELECT ON categories, products, ingredients, recipe_lines TO PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE, RULE, REFERENCES, TRIGGER ON baskets TO PUBLIC;
GRANT SELECT (id, number, name, rule) ON customers TO PUBLIC;
REVOKE TRUNCATE ON orders, order_lines FROM PUBLIC;
