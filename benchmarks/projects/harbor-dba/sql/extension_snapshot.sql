-- Remembers which extensions and languages the database has. Run before and after each maintenance window.

INSERT INTO ops.extension_log
SELECT current_date, e.*
  FROM pg_extension e;

INSERT INTO ops.extension_log (seen_on, extname, extowner, extnamespace, extversion)
SELECT current_date - 1, e.extname, e.extowner, e.extnamespace, e.extversion
  FROM pg_extension e
 WHERE e.extname = 'plpgsql';

SELECT l.*
  FROM ops.extension_log l
 WHERE l.seen_on < '2020-01-01';

SELECT count(*) AS languages
  FROM pg_language
 WHERE lanpltrusted;

SELECT t.*
  FROM ops.retention_rules t
 ORDER BY t.parent;

-- tables that the inventory lists with oids
SELECT t.relation, t.seen_on
  FROM ops.table_inventory t
 WHERE t.relhasoids;
