-- Tables that neither VACUUM nor ANALYZE has ever seen, usually of a new import.
SELECT c.oid::regclass AS tab, pg_size_pretty(pg_relation_size(c.oid)) AS size
  FROM pg_class c
 WHERE c.relkind = 'r'
   AND c.reltuples = 0
   AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
 ORDER BY pg_relation_size(c.oid) DESC;
