-- Revert circulation:statistics from pg

BEGIN;

DROP VIEW circ.loans_by_month, circ.loans_by_weekday;

COMMIT;
