-- Seq Scan [set enable_bitmapscan = off] [analyze]
SELECT * FROM item WHERE name LIKE 'item 1%' AND "Mixed Case" = 1;
-- Seq Scan [analyze]
SELECT "order", "table" FROM "select" WHERE "table" = 'line one
line two, "quoted" and ''single''';
-- Index Scan [set enable_bitmapscan = off] [set enable_seqscan = off] [analyze]
SELECT * FROM item WHERE id = 77;
-- Index Scan [set enable_bitmapscan = off] [set enable_seqscan = off]
SELECT * FROM item WHERE "Mixed Case" = 1;
-- Index Scan Backward [set enable_seqscan = off] [set enable_sort = off] [analyze]
SELECT * FROM item ORDER BY id DESC LIMIT 3;
-- Index Only Scan [set enable_bitmapscan = off] [set enable_seqscan = off]
SELECT id FROM item WHERE id < 10;
-- Index Only Scan Backward [set enable_bitmapscan = off] [set enable_seqscan = off] [set enable_sort = off]
SELECT kind, price FROM item WHERE kind = 3 ORDER BY price DESC;
-- Bitmap Heap Scan [set enable_indexscan = off] [set enable_seqscan = off] [analyze]
SELECT * FROM item WHERE kind = 3 AND name <> 'item 13';
-- Bitmap Index Scan [set enable_indexscan = off] [set enable_seqscan = off]
SELECT * FROM item WHERE "Mixed Case" = 1;
-- BitmapOr [set enable_indexscan = off] [set enable_seqscan = off] [analyze]
SELECT * FROM item WHERE kind = 3 OR id < 20;
-- BitmapAnd [set enable_indexscan = off] [set enable_seqscan = off]
SELECT * FROM pair WHERE a = 7 AND b = 7;
-- Tid Scan [analyze]
SELECT * FROM item WHERE ctid = '(0,1)';
-- Tid Range Scan [pg >=14] [analyze]
SELECT * FROM item WHERE ctid > '(0,1)' AND ctid < '(1,5)';
-- Sample Scan [pg >=9.5] [analyze]
SELECT count(*) FROM item TABLESAMPLE bernoulli (20) REPEATABLE (7);
-- Function Scan [analyze]
SELECT * FROM generate_series(1, 10) AS "N" WHERE "N" % 2 = 0;
-- Function Scan [pg >=9.4] [analyze]
SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) WITH ORDINALITY AS f (a, b, c);
-- Table Function Scan [pg >=17]
SELECT * FROM JSON_TABLE('[1, 2]', '$[*]' COLUMNS (n int PATH '$')) AS j;
-- Values Scan [analyze]
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, letter) WHERE n > 1;
-- Subquery Scan [analyze]
SELECT * FROM (SELECT id, row_number() OVER (ORDER BY price) AS place FROM item) s WHERE place % 2 = 0;
-- CTE Scan [analyze]
WITH numbers AS (SELECT random() AS r FROM generate_series(1, 3)) SELECT count(*) FROM numbers a, numbers b;
-- WorkTable Scan [analyze]
WITH RECURSIVE up AS (SELECT id, parent FROM tree WHERE id = 77 UNION ALL SELECT t.id, t.parent FROM tree t JOIN up ON t.id = up.parent) SELECT * FROM up;
-- Recursive Union
WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 10) SELECT * FROM n;
-- Result [analyze]
SELECT 1 AS one;
-- Result [analyze]
SELECT * FROM item WHERE false;
-- Result
SELECT current_setting('work_mem') WHERE now() > '2020-01-01';
-- ProjectSet [pg >=10] [analyze]
SELECT id, generate_series(1, 2) FROM tree WHERE id < 5;
