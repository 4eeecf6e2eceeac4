#!/bin/sh
psql -d bets -At <<'SQL' | psql -d bets
SELECT format('GRANT EXECUTE ON FUNCTION %s TO bets_api;', p.oid::regprocedure)
  FROM pg_proc p
 WHERE p.pronamespace = 'public'::regnamespace
   AND NOT p.proisagg;
SQL
