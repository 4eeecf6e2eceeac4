-- psql -v owner=newsroom_owner -f scripts/reassign_functions.sql
\set ON_ERROR_STOP on

SELECT format('ALTER FUNCTION %s OWNER TO %I', p.oid::regprocedure, :'owner')
  FROM pg_proc p
 WHERE p.pronamespace = 'cms'::regnamespace
   AND NOT p.proisagg
   AND pg_get_userbyid(p.proowner) <> :'owner'
\gexec
