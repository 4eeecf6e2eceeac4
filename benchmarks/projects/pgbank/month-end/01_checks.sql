-- What must hold before the month is closed
\pset pager off
\echo 'checks'

-- The central bank's reader wants accounts in the order of bytes.
SELECT current_setting('lc_collate') IN ('C', 'POSIX') AS bytewise \gset
\if :bytewise
\else
    \echo 'database is not sorted by bytes, the export will be refused'
\endif

SELECT current_setting('lc_monetary') AS lc_monetary \gset

SELECT current_setting('server_version_num')::int >= 160000 AS v16 \gset
\if :v16
    \echo 'character types: see the list of databases'
\else
    SELECT current_setting('lc_ctype');
\endif

-- Accounts whose balance isn't the sum of their postings
SELECT a.iban, a.balance, sum(p.amount)
  FROM bank.accounts a
  JOIN bank.postings p ON p.account_id = a.id
 GROUP BY a.iban, a.balance
HAVING a.balance <> sum(p.amount);

-- Postings without a known purpose, '30and' is the code of standing orders
SELECT id, account_id, amount FROM bank.postings WHERE purpose = '30and' AND amount > 0;

-- Loans that were granted lately; the risk office looks at each
SELECT id, principal FROM bank.loans WHERE granted > now() + interval '3 months 15 days ago';
