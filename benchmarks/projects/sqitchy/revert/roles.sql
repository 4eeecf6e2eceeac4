-- Revert circulation:roles from pg

BEGIN;

DROP ROLE circ_kiosk, circ_app;

COMMIT;
