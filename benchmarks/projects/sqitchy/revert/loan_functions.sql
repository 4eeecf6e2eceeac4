-- Revert circulation:loan_functions from pg

BEGIN;

DROP FUNCTION circ.renew(integer, integer);
DROP FUNCTION circ.return_item(integer);
DROP FUNCTION circ.days_late(date, timestamptz);
DROP FUNCTION circ.due_date(timestamptz, integer);

COMMIT;
