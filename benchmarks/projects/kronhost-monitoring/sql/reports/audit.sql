-- Compared each week with the numbers in the wiki: did somebody drop a constraint?
SELECT c.conrelid::regclass AS relation, count(*) AS constraints
  FROM pg_constraint c
 WHERE c.connamespace = 'hosting'::regnamespace AND c.conrelid <> 0
 GROUP BY 1
 ORDER BY 1;

-- Foreign keys without an index
SELECT c.conrelid::regclass AS relation, c.conname
  FROM pg_constraint c
 WHERE c.contype = 'f'
   AND c.connamespace = 'hosting'::regnamespace
   AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])
 ORDER BY 1, 2;

-- Columns without a statistics target of their own
SELECT a.attrelid::regclass AS relation, count(*) AS columns
  FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid
 WHERE c.relnamespace = 'hosting'::regnamespace AND c.relkind = 'r'
   AND a.attnum > 0 AND NOT a.attisdropped
   AND coalesce(a.attstattarget, -1) = -1
 GROUP BY 1
 ORDER BY 1;

-- Columns with a raised one
SELECT a.attrelid::regclass AS relation, a.attname, a.attstattarget
  FROM pg_attribute a
 WHERE a.attnum > 0 AND a.attstattarget > 100;
