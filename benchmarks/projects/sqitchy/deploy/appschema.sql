-- Deploy circulation:appschema to pg

BEGIN;

CREATE SCHEMA circ;
COMMENT ON SCHEMA circ IS 'Circulation of the city library';

COMMIT;
