-- Foreign Scan [analyze]
SELECT * FROM far_item WHERE kind = 3 AND name <> 'item 13';
-- Foreign Scan [pg >=9.6] [analyze]
SELECT * FROM far_item f JOIN far_sale s ON s.item = f.id WHERE f.id < 10;
-- Foreign Scan [pg >=10]
SELECT kind, count(*) FROM far_item GROUP BY kind;
-- Foreign Scan [pg >=9.3]
SELECT * FROM far_item WHERE random() < 0.5 ORDER BY name;
-- Insert
INSERT INTO far_item (id, kind) SELECT id + 5000, 1 FROM tree;
-- Foreign Update [pg >=9.6]
UPDATE far_item SET price = 1 WHERE id = 3;
-- Update
UPDATE far_item SET price = random() WHERE id < 3;
-- Foreign Delete [pg >=9.6]
DELETE FROM far_item WHERE kind = 4;
-- Delete
DELETE FROM far_item WHERE kind = 4 AND random() < 0.5 RETURNING *;
-- Async Foreign Scan [pg >=14]
SELECT * FROM far_item UNION ALL SELECT * FROM far_item_too;
