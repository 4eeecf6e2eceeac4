UPDATE staging.products AS p
   SET row_hash = md5(concat_ws('|', p.sku, p.title, p.price))
 WHERE p.row_hash IS NULL;

SELECT p.sku, p.title
  FROM staging.products p
 WHERE p.search @@ (!! 'discontinued'::tsquery)
 ORDER BY p.sku;
