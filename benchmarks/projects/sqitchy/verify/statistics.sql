-- Verify circulation:statistics on pg

BEGIN;

SELECT weekday, loans FROM circ.loans_by_weekday WHERE FALSE;
SELECT month, loans FROM circ.loans_by_month WHERE FALSE;

ROLLBACK;
