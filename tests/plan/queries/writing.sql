-- Insert [analyze]
INSERT INTO tree VALUES (1001, 1), (1002, 2);
-- Insert [pg >=9.5] [analyze]
INSERT INTO tree VALUES (3, 1), (1002, 2) ON CONFLICT (id) DO UPDATE SET parent = excluded.parent WHERE tree.parent > 5;
-- Insert [pg >=9.5] [analyze]
INSERT INTO tree SELECT id, 3 FROM tree ON CONFLICT DO NOTHING RETURNING *;
-- Update [analyze]
UPDATE item SET price = price + 1 FROM sale WHERE sale.item = item.id AND sale.id < 10;
-- Update
UPDATE base SET v = v + 1 WHERE v < 10;
-- Delete [analyze]
DELETE FROM base WHERE id = 7 RETURNING *;
-- Delete
DELETE FROM sale USING item WHERE sale.item = item.id AND item.kind = 3;
-- Merge [pg >=15] [analyze]
MERGE INTO tree USING (VALUES (3), (2000)) AS v (id) ON tree.id = v.id WHEN MATCHED THEN UPDATE SET parent = 0 WHEN NOT MATCHED THEN INSERT VALUES (v.id, 1);
-- Merge [pg >=17]
MERGE INTO part USING tree ON part.k = tree.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DO NOTHING RETURNING merge_action(), part.*;
-- Insert [pg >=11]
INSERT INTO part SELECT id, parent FROM tree;
-- Insert
INSERT INTO ruled VALUES (1);
-- CTE Scan
WITH gone AS (DELETE FROM sale WHERE amount = 3 RETURNING *) INSERT INTO tree SELECT id + 10000, item FROM gone;
-- * Scan
SELECT * FROM (SELECT 1) AS s, dear WHERE dear.id = 3;
