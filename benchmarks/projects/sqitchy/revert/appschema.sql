-- Revert circulation:appschema from pg

BEGIN;

DROP SCHEMA circ;

COMMIT;
