SELECT id ignore FROM t;
SELECT t.ignore FROM t;
SELECT name respect FROM t;
SELECT name AS respect FROM t;
SELECT JSON_ARRAY(SELECT id FROM t WHERE false);
SELECT JSON_ARRAY(1, 2);
SELECT parent, level FROM pg_backend_memory_contexts;
COPY t FROM STDIN WHERE xmin IS NULL;
\.
COPY t FROM STDIN WHERE id IS NULL;
\.
SELECT attcacheoff FROM pg_attribute;
