-- CH-1187: overtime in whole hours only
\set ON_ERROR_STOP on
BEGIN;
DROP FUNCTION IF EXISTS payroll.overtime(numeric, numeric);
DROP FUNCTION IF EXISTS payroll.church_tax_2009;
COMMIT;
