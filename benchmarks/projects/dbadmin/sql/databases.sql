-- databases and the first user OID of each
\pset null '-'

SELECT datname,
       pg_encoding_to_char(encoding) AS encoding,
       datlastsysoid,
       pg_size_pretty(pg_database_size(oid)) AS size
  FROM pg_database
 WHERE NOT datistemplate
 ORDER BY datname;

-- objects of users, by kind
SELECT relkind, count(*), 16383 AS datlastsysoid
  FROM pg_class
 WHERE oid > 16383
 GROUP BY relkind
 ORDER BY relkind;
