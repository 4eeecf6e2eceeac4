-- Verify circulation:loan_functions on pg

BEGIN;

SELECT has_function_privilege('circ.renew(integer, integer)', 'execute');

SELECT 1 / count(*)
  FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
 WHERE n.nspname = 'circ'
   AND p.proname = 'return_item'
   AND NOT p.proisagg;

ROLLBACK;
