-- Planner statistics of the partitions: which columns still have the default target
\pset tuples_only on
SELECT a.attrelid::regclass, a.attname
  FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid
 WHERE c.relnamespace = 'billing'::regnamespace
   AND c.relkind = 'r'
   AND a.attnum > 0 AND NOT a.attisdropped
   AND a.attstattarget = -1
 ORDER BY 1, 2;

SELECT count(*) FROM pg_attribute WHERE attstattarget > 0 AND attnum > 0;
