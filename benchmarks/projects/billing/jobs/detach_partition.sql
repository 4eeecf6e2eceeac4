-- usage: psql -v part=billing.invoices_2023 -f jobs/detach_partition.sql
\set ON_ERROR_STOP on
BEGIN;
ALTER TABLE billing.invoices DETACH PARTITION :part;
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname)
  FROM pg_constraint c
 WHERE c.conrelid = :'part'::regclass AND c.contype = 'f'
\gexec
COMMIT;
SELECT format('constraints left: %s', count(*)) FROM pg_constraint WHERE conrelid = :'part'::regclass;
