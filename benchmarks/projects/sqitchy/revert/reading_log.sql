-- Revert circulation:reading_log from pg

BEGIN;

DROP TABLE circ.reading_log;

COMMIT;
