-- Result [analyze]
SELECT (SELECT max(id) FROM item), (SELECT count(*) FROM tree);
-- Seq Scan [analyze]
SELECT id, (SELECT count(*) FROM sale WHERE sale.item = tree.id) FROM tree WHERE id < 10;
-- Seq Scan [analyze]
SELECT id FROM tree WHERE id NOT IN (SELECT kind FROM item WHERE kind > 3);
-- Seq Scan
SELECT id, EXISTS (SELECT 1 FROM sale WHERE sale.item = tree.id) FROM tree;
-- * Scan
SELECT id FROM tree WHERE id > ALL (SELECT kind FROM item) OR id = ANY (SELECT kind + 1 FROM item);
-- Seq Scan
SELECT (id, parent) = (SELECT i.id, i.kind FROM item i WHERE i.id = 7) AS same FROM tree;
-- Result
SELECT ARRAY(SELECT id FROM tree WHERE id < 3 ORDER BY id DESC);
-- Update [pg >=9.5]
UPDATE item SET (name, price) = (SELECT 'n', 1.5) WHERE id = 3;
-- CTE Scan
WITH a AS (SELECT random()), b AS (SELECT * FROM a) SELECT * FROM a, b;
-- * Scan [pg >=12]
WITH "Some Name" AS MATERIALIZED (SELECT * FROM tree) SELECT * FROM "Some Name" AS other WHERE id = 3;
-- Append [analyze]
SELECT id FROM tree UNION ALL SELECT kind FROM item;
-- Append
SELECT * FROM base WHERE v > 5;
-- Append [pg >=10] [analyze]
SELECT * FROM part WHERE k < 150;
-- Append [pg >=11] [analyze]
SELECT * FROM part WHERE k = (SELECT 150);
-- Merge Append [set enable_seqscan = off] [set enable_bitmapscan = off] [set enable_sort = off]
SELECT * FROM base ORDER BY v;
-- Parallel Append [pg >=11] [parallel]
SELECT id FROM sale UNION ALL SELECT id + 1 FROM item;
-- Gather Merge [pg >=10] [parallel]
SELECT * FROM sale ORDER BY amount;
-- Gather [pg >=9.6] [parallel]
SELECT * FROM sale WHERE amount = 3;
