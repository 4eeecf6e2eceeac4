-- How many columns of a table have a statistics target of their own?
SELECT (date_part('epoch', now()) * 1e9)::int8 AS epoch_ns,
       a.attrelid::regclass::text AS tag_table,
       count(*) FILTER (WHERE a.attstattarget = -1) AS by_default,
       count(*) FILTER (WHERE a.attstattarget > 0) AS raised
  FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid
 WHERE c.relkind IN ('r', 'p', 'm')
   AND a.attnum > 0
   AND NOT a.attisdropped
   AND c.relnamespace <> 'pg_catalog'::regnamespace
 GROUP BY a.attrelid;
