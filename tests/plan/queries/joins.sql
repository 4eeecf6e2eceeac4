-- Hash Join [set enable_mergejoin = off] [set enable_nestloop = off] [analyze]
SELECT * FROM item JOIN sale ON sale.item = item.id;
-- Hash Left Join [set enable_mergejoin = off] [set enable_nestloop = off] [analyze]
SELECT * FROM sale LEFT JOIN item ON sale.item = item.id WHERE item.name IS NULL OR item.kind > 3;
-- Hash Full Join [set enable_mergejoin = off]
SELECT * FROM sale s FULL JOIN item AS "Item" ON s.item = "Item".id;
-- Merge Join [set enable_hashjoin = off] [set enable_nestloop = off] [analyze]
SELECT * FROM item JOIN sale ON sale.item = item.id;
-- Merge Left Join [set enable_hashjoin = off] [set enable_nestloop = off] [analyze]
SELECT * FROM item LEFT JOIN sale ON sale.item = item.id AND sale.amount > item.kind;
-- Merge Full Join [set enable_hashjoin = off]
SELECT * FROM sale FULL JOIN item ON sale.item = item.id;
-- Nested Loop [set enable_hashjoin = off] [set enable_mergejoin = off] [set enable_memoize = off] [analyze]
SELECT * FROM item, tree WHERE item.id < tree.id AND item.kind < 5;
-- Nested Loop Left Join [analyze]
SELECT * FROM tree t LEFT JOIN (SELECT id, kind FROM item WHERE kind = 20) i ON i.id > t.id;
-- Nested Loop Semi Join [set enable_hashjoin = off] [set enable_mergejoin = off] [set enable_material = off]
SELECT * FROM tree WHERE EXISTS (SELECT 1 FROM sale WHERE sale.amount > tree.id);
-- * Anti Join [analyze]
SELECT * FROM item WHERE NOT EXISTS (SELECT 1 FROM sale WHERE sale.item = item.id);
-- * Semi Join [analyze]
SELECT * FROM item WHERE EXISTS (SELECT 1 FROM sale WHERE sale.item = item.id AND sale.amount <> item.kind);
-- Materialize [set enable_hashjoin = off] [set enable_mergejoin = off] [set enable_indexscan = off] [set enable_bitmapscan = off] [analyze]
SELECT * FROM tree a JOIN tree b ON a.id + b.id = 7;
-- Memoize [pg >=14] [set enable_hashjoin = off] [set enable_mergejoin = off] [analyze]
SELECT * FROM sale JOIN item ON sale.item = item.id;
-- Parallel Hash Join [pg >=11] [parallel] [set enable_mergejoin = off] [set enable_nestloop = off]
SELECT * FROM item JOIN sale ON sale.item = item.id;
-- Parallel Hash Full Join [pg >=16] [parallel] [set enable_mergejoin = off]
SELECT * FROM item FULL JOIN sale ON sale.item = item.id;
-- Nested Loop [set enable_seqscan = off] [set enable_hashjoin = off] [set enable_mergejoin = off]
SELECT * FROM item CROSS JOIN LATERAL (SELECT * FROM sale WHERE sale.item = item.id ORDER BY day LIMIT 2) AS newest;
