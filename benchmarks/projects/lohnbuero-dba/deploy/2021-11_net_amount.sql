-- CH-1304: the programs compute net amounts themselves since release 8
\set ON_ERROR_STOP on
BEGIN;
DROP FUNCTION IF EXISTS payroll.net_amount;
DELETE FROM dba.runbook WHERE step = 20;
COMMIT;
