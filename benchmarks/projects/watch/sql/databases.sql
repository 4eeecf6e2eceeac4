-- size of each database and the number of its own objects
-- (objects of initdb are those up to datlastsysoid)
SELECT d.datname,
       pg_size_pretty(pg_database_size(d.oid)) AS size
  FROM pg_database d
 WHERE d.datallowconn
 ORDER BY pg_database_size(d.oid) DESC;

SELECT count(*) AS own_functions
  FROM pg_proc p
 WHERE p.oid > (SELECT datlastsysoid
                  FROM pg_database
                 WHERE datname = current_database());

-- time of day of the report, in seconds
SELECT to_char(now(), 'YYYY-MM-DD') AS day, to_char(now(), 'SSSS') AS second;
