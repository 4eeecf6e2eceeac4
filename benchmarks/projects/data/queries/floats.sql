SELECT lat FROM probe ORDER BY id;
SELECT id FROM probe WHERE lat > 0.4 ORDER BY id;
SELECT md5(lat::text) FROM probe WHERE id = 1;
SELECT round(lat::numeric, 1) FROM probe ORDER BY id;
SELECT lat / 'Infinity'::float8 FROM probe WHERE id = 2;
SELECT lat / 4 > 1 FROM probe ORDER BY id;
SELECT setseed(0.5);
SELECT 'setseed(0.5)' AS call;
