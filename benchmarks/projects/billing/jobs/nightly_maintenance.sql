\set ON_ERROR_STOP on
\timing on
SET maintenance_work_mem = '512MB';
VACUUM (ANALYZE) billing.customers;
ANALYZE billing.invoices;
ANALYZE billing.ledger;
REINDEX TABLE CONCURRENTLY billing.plans;
\echo 'tables done, REINDEX DATABASE follows on Sunday'
