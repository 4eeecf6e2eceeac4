UPDATE staging.parcels AS p
   SET row_hash = md5(concat_ws('|', p.sku, p.order_id, p.weight_kg))
 WHERE p.row_hash IS NULL;
