-- Aggregate [pg >=9.4] [analyze]
SELECT count(*), sum(price) FILTER (WHERE kind > 3) FROM item;
-- HashAggregate [analyze]
SELECT kind, count(*) FROM item GROUP BY kind HAVING count(*) > 5;
-- GroupAggregate [set enable_hashagg = off] [analyze]
SELECT kind, count(DISTINCT name), string_agg(name, ', ' ORDER BY id) FROM item GROUP BY kind;
-- Group [set enable_hashagg = off] [analyze]
SELECT kind, "Mixed Case" FROM item GROUP BY kind, "Mixed Case";
-- MixedAggregate [pg >=10] [analyze]
SELECT kind, "Mixed Case", count(*) FROM item GROUP BY CUBE (kind, "Mixed Case");
-- HashAggregate [pg >=10]
SELECT kind, "Mixed Case", count(*) FROM item GROUP BY GROUPING SETS ((kind), ("Mixed Case"), (kind, "Mixed Case"));
-- GroupAggregate [pg >=9.5] [set enable_hashagg = off] [analyze]
SELECT kind, "Mixed Case", count(*) FROM item GROUP BY GROUPING SETS (ROLLUP (kind, "Mixed Case"), ("Mixed Case", name), ());
-- Finalize Aggregate [pg >=9.6] [parallel]
SELECT count(*), min(name) FROM sale, (SELECT 'x'::text AS name) n;
-- Partial HashAggregate [pg >=9.6] [parallel]
SELECT item, count(*) FROM sale GROUP BY item;
-- Finalize GroupAggregate [pg >=10] [parallel] [set enable_hashagg = off]
SELECT amount, count(*) FROM sale GROUP BY amount;
-- Unique [set enable_hashagg = off] [analyze]
SELECT DISTINCT kind, name FROM item;
-- Unique
SELECT DISTINCT ON (kind) kind, price FROM item ORDER BY kind, price DESC;
-- SetOp * [set enable_hashagg = off]
SELECT id FROM tree INTERSECT SELECT kind FROM item;
-- HashSetOp Except [analyze]
SELECT id FROM tree EXCEPT SELECT kind FROM item;
-- HashSetOp Intersect All
SELECT id FROM tree INTERSECT ALL SELECT kind FROM item;
-- HashSetOp Except All
SELECT id FROM tree EXCEPT ALL SELECT kind FROM item;
-- WindowAgg [analyze]
SELECT id, rank() OVER (PARTITION BY kind ORDER BY price DESC), sum(price) OVER w FROM item WINDOW w AS (ORDER BY id ROWS 2 PRECEDING);
-- WindowAgg [pg >=15] [analyze]
SELECT * FROM (SELECT id, row_number() OVER (ORDER BY price) AS place FROM item) s WHERE place <= 3;
-- Sort [analyze]
SELECT name, price FROM item ORDER BY name COLLATE "C" DESC NULLS LAST, price USING >;
-- Sort [analyze]
SELECT * FROM item ORDER BY name LIMIT 5;
-- Sort [set work_mem = '64kB'] [analyze]
SELECT * FROM sale ORDER BY amount, day, id;
-- Incremental Sort [pg >=13] [set enable_seqscan = off] [set enable_bitmapscan = off] [analyze]
SELECT * FROM item ORDER BY kind, name LIMIT 50;
-- Limit [analyze]
SELECT * FROM tree LIMIT 3 OFFSET 2;
-- LockRows
SELECT * FROM item WHERE id = 3 FOR UPDATE;
-- HashAggregate [pg >=13] [set work_mem = '64kB'] [set enable_sort = off]
SELECT name, count(*) FROM item GROUP BY name;
