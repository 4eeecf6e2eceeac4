-- In how many orders can the parts of a bundle be packed? Merchandising asks each spring.
\set min_size 3

SELECT sku,
       bundle_size,
       !! bundle_size AS sequences,
       round(list_price / bundle_size, 2) AS price_per_part
  FROM warehouse.dim_product
 WHERE bundle_size >= :min_size
 ORDER BY bundle_size DESC, sku;

-- pairs of parts, for the shelf labels
SELECT sku,
       factorial(bundle_size) / (factorial(2) * factorial(bundle_size - 2)) AS pairs
  FROM warehouse.dim_product
 WHERE bundle_size >= 2;

-- products that mention neither of the words
SELECT sku, title
  FROM warehouse.dim_product
 WHERE search @@ !! to_tsquery('simple', 'refurbished | demo');
