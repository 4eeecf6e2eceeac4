-- CHECK constraints that exist, and those that were dropped
SELECT conrelid::regclass AS table_name, conname, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
 WHERE contype = 'c' AND connamespace = 'payroll'::regnamespace;

SELECT d.table_name, d.conname, d.consrc, d.dropped_on
  FROM dba.dropped_constraints d
 ORDER BY d.dropped_on DESC;
