-- Interest of the month
BEGIN;
SELECT bank.accrue(:'month'::date) AS accrued \gset
\echo :accrued 'loans accrued'
INSERT INTO bank.audit ("system_user", action) VALUES ('month-end', 'accrue');
COMMIT;
