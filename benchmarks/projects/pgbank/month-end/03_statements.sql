-- Statements for the printers; one account by hand with -v account=...
\if :{?account}
\else
    \set account 1
\endif

BEGIN;
SELECT bank.open_statement(:account, :'month'::date);
FETCH ALL FROM c_statement;
COMMIT;

BEGIN;
SELECT bank.open_ledger(:'month'::date);
FETCH ALL FROM c_ledger;
COMMIT;
