\set since '2020-01-01'
SELECT ascii(code), code FROM shop.items WHERE code > '\200';
SELECT array_to_tsvector(ARRAY['a', '', 'b']);
SELECT array_to_tsvector(ARRAY['a', 'b']);
SELECT chr(0 - 5);
SELECT chr(65);
SELECT * FROM shop.items WHERE id = 10 ORDER BY id LIMIT 5OFFSET 2;
\echo SELECT chr(-1)
SELECT current_setting('lc_collate');
SELECT datcollate FROM pg_database WHERE datname = current_database();
