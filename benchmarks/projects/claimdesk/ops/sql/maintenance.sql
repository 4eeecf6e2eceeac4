-- Runs every night, see ops/bin/nightly.sh
VACUUM ANALYZE claim (status, adjuster);
VACUUM ANALYZE payment;
ANALYZE estimate;

-- Tables that were never analyzed
SELECT c.oid::regclass AS table_name
  FROM pg_class c
 WHERE c.relkind = 'r'
   AND c.reltuples = 0
   AND c.relnamespace = 'public'::regnamespace;

-- Functions of our own, for the data dictionary
SELECT p.proname,
       p.proisstrict,
       pg_get_function_identity_arguments(p.oid) AS arguments
  FROM pg_proc p
 WHERE p.pronamespace = 'public'::regnamespace;

DELETE FROM claim_history WHERE changed_at < now() - interval '10 years';
