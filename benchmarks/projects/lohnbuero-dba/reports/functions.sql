-- Functions and aggregates of the clients' schemas, compared with the last audit
\pset format aligned
\pset null '-'

SELECT n.nspname, p.proname, CASE WHEN p.proisagg THEN 'aggregate' ELSE 'function' END AS kind
  FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
 WHERE n.nspname IN ('payroll', 'dba')
 ORDER BY 1, 2;

SELECT signature, remark
  FROM dba.function_inventory
 WHERE NOT proisagg
   AND audited_on = (SELECT max(audited_on) FROM dba.function_inventory);
